/** The Unix second of a row's moment: a number of seconds, or an ISO or engine text in UTC. Throws where it is neither. */
export function rowMoment(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return Math.floor(value);
  if (typeof value === "string") {
    if (/^\d+(\.\d+)?$/.test(value)) return Math.floor(Number(value));
    const text = value.replace(" ", "T");
    const moment = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || text.length <= 10 ? text : `${text}Z`);
    if (!Number.isNaN(moment)) return Math.floor(moment / 1000);
  }
  throw new TypeError(`not a moment: ${JSON.stringify(value)}`);
}
