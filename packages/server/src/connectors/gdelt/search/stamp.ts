/** Unix ms of a moment as GDELT writes it, 20260910T121500Z; undefined for anything else. */
export function momentOf(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  const moment = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** A moment as it is asked for: 20260910121500. */
export function stampOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "");
}
