/** What is known of a token (decimal text); null where nothing is. */
export type OfToken = (token: string, attribute: "slug" | "outcome") => string | null;

/** The condition of tokens whose market is not known, as it is stored. */
const NO_CONDITION = `0x${"0".repeat(64)}`;

/** The condition of a folded token as it is stored. */
export const storedCondition = ({ condition }: { readonly condition: string }): string => condition || NO_CONDITION;

/** Ascending. */
export const compareValues = <Value extends string | number | bigint>(a: Value, b: Value): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Tokens (decimal text) by their numbers. */
export const compareTokens = (a: string, b: string): number => a.length - b.length || compareValues(a, b);
