import type { MadeRow } from "./served-keyed.ts";

type Asked<Place> = {
  readonly compare: (a: Place, b: Place) => number;
  /** The place after which the page begins, and how many rows it needs at most. */
  readonly after: Place | undefined;
  readonly depth: number;
};

/** The rows of a page and all before it, of all that were found, in an order of their own. */
export function placedRows<Place>(
  rows: readonly (MadeRow & Place)[],
  { compare, after, depth }: Asked<Place>,
): MadeRow[] {
  const left = after === undefined ? rows : rows.filter((row) => compare(row, after) > 0);
  return left.toSorted(compare).slice(0, depth);
}
