/** Attribute of a token (decimal text); null if unknown. */
export type OfToken = (token: string, attribute: "slug" | "outcome") => string | null;

/** Stored condition of tokens whose market is unknown. */
const NO_CONDITION = `0x${"0".repeat(64)}`;

/** The condition of a folded token in its stored form. */
export const storedCondition = ({ condition }: { readonly condition: string }): string => condition || NO_CONDITION;

/** Ascending. */
export const compareValues = <Value extends string | number | bigint>(a: Value, b: Value): number =>
  a < b ? -1 : a > b ? 1 : 0;

/** Compares tokens (decimal text) as numbers. */
export const compareTokens = (a: string, b: string): number => a.length - b.length || compareValues(a, b);
