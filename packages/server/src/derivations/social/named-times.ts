/** Without May, which is too common as a word. */
const MONTHS = "january|february|march|april|june|july|august|september|october|november|december";
const YEAR = / (20[0-4]\d)(?= )/gu;
const MONTH = new RegExp(` (${MONTHS})(?= )`, "gu");

/** Position at which a text names a year or a month. */
export type Named = { readonly name: string; readonly at: number };

const namedBy = (expression: RegExp, folded: string): Named[] =>
  [...folded.matchAll(expression)].map(({ 1: name = "", index }) => ({ name, at: index }));

export type NamedTimes = { readonly years: readonly Named[]; readonly months: readonly Named[] };

/** The years and months that a folded text names, with their positions. */
export const namedTimes = (folded: string): NamedTimes => ({
  years: namedBy(YEAR, folded),
  months: namedBy(MONTH, folded),
});
