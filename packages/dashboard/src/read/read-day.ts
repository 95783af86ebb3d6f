const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day as YYYY-MM-DD; empty if the text is not a day of the calendar. */
export function readDay(text: string): string {
  const at = DAY.test(text) ? Date.parse(text) : Number.NaN;
  // The 30th of February would be taken for a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) ? text : "";
}
