import type { KeyedReader, KeyedSearch, MadeRow } from "../../definition/served-keyed.ts";
import type { Keys } from "../compose.ts";
import type { PageOf } from "../read-page.ts";

export type Found = { readonly at: number; readonly key: string; values: MadeRow["values"] };
type Place = Pick<Found, "at" | "key">;

/** The rows up to the end of the page, plus one if more follow; yields between steps. */
export function* findKeyed(reader: KeyedReader, search: KeyedSearch, page: PageOf): Generator<undefined, Found[]> {
  const depth = page.offset + page.limit + 1;
  const before = page.cursor && placeOf(page.cursor.after);
  const order = comparing(search);
  const found: Found[] = [];
  const isPlaced = search.isPlaced === true;
  for (const key of new Set(search.keys)) {
    let left = depth;
    for (const row of search.rows(key, reader)) {
      if (row === undefined) {
        yield;
        continue;
      }
      const { at, values } = row;
      if (!isPlaced && before !== undefined && order({ at, key }, before) <= 0) continue;
      found.push({ at, values, key });
      left -= 1;
      if (left === 0 && search.isBackward !== true) break;
    }
    yield;
  }
  const rows = isPlaced ? found : found.toSorted(order).slice(0, depth);
  // Compute values while the underlying data cannot change.
  for (const row of rows.slice(page.offset, page.offset + page.limit)) {
    const values = row.values();
    row.values = () => values;
  }
  return rows;
}

const placeOf = (after: Keys): Place =>
  after.length === 1
    ? { at: 0, key: String(after[0]) }
    : { at: Date.parse(String(after[0])) / 1000, key: String(after[1]) };

const ascending = (a: Place, b: Place): number => a.at - b.at || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

const comparing = ({ isBackward }: KeyedSearch): ((a: Place, b: Place) => number) =>
  isBackward === true ? (a, b) => ascending(b, a) : ascending;
