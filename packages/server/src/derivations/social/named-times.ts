/** Not May, which is a word of every other sentence. */
const MONTHS = "january|february|march|april|june|july|august|september|october|november|december";
const YEAR = / (20[0-4]\d)(?= )/gu;
const MONTH = new RegExp(` (${MONTHS})(?= )`, "gu");

/** Where a text names a year or a month. */
export type Named = { readonly name: string; readonly at: number };

const namedBy = (expression: RegExp, folded: string): Named[] =>
  [...folded.matchAll(expression)].map(({ 1: name = "", index }) => ({ name, at: index }));

export type NamedTimes = { readonly years: readonly Named[]; readonly months: readonly Named[] };

/** The years and months that a folded text names, and where. */
export const namedTimes = (folded: string): NamedTimes => ({
  years: namedBy(YEAR, folded),
  months: namedBy(MONTH, folded),
});
