/** Unix ms of an unparsed ISO moment; undefined for anything else. */
export function rawMoment(value: unknown): number | undefined {
  const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? undefined : moment;
}
