import type { MadeRow } from "./served-keyed.ts";

type Requested<Place> = {
  readonly compare: (a: Place, b: Place) => number;
  /** The position after which the page begins, and the number of rows needed at most. */
  readonly after: Place | undefined;
  readonly depth: number;
};

/** Returns the first `depth` rows after the position, sorted by `compare`: the page and the rows before it. */
export function placedRows<Place>(
  rows: readonly (MadeRow & Place)[],
  { compare, after, depth }: Requested<Place>,
): MadeRow[] {
  const left = after === undefined ? rows : rows.filter((row) => compare(row, after) > 0);
  return left.toSorted(compare).slice(0, depth);
}
