import type { Given, OrderKey, Params } from "./dataset.ts";
import type { MadeValue } from "./served-buckets.ts";
import type { ServedTable } from "./served.ts";
import type { Bound } from "./sql.ts";

/** A row held by its key, by the names of its columns, until the walk goes on. */
export type KeyedRow = {
  /** Seconds and counts; a flag is 0 or 1, a choice its place among the values. */
  readonly number: (column: string) => number;
  /** Money in millionths, of a column that is not null here. */
  readonly micros: (column: string) => number | bigint;
  /** Decimal text, 0x-hex, a word, a text or a number, by the kind of the column. */
  readonly value: (column: string) => string | number | null;
};

/** Rows of a table by a column and its value, of moments in seconds, both inclusive: the earliest first. */
export type ReadKeyed = (
  table: ServedTable,
  column: string,
  value: string,
  span?: { readonly from: number; readonly to: number },
) => Iterable<KeyedRow>;

/** A row of the answer. */
export type MadeRow = {
  /** What rows are ordered by before their keys: seconds, or 0 in all. */
  readonly at: number;
  readonly values: () => Readonly<Record<string, MadeValue>>;
};

export type KeyedSearch = {
  readonly keys: readonly string[];
  /** The first second that is read of any table. */
  readonly from: number;
  /** The rows of a key, in order. */
  readonly rows: (key: string, read: ReadKeyed) => Iterable<MadeRow>;
  /** Pages go back from the latest rows, each shown the earliest first. */
  readonly isBackward?: boolean;
};

/**
 * How a dataset is answered by arithmetic over rows held by their keys, in the same bytes and order as by its query,
 * which answers where these do not reach.
 */
export type ServedKeyed<P extends Params = Params> = {
  /** All that are read. */
  readonly tables: readonly [ServedTable, ...ServedTable[]];
  /** As in the query, where pages go forward: a moment and the key, or the key alone. */
  readonly order: readonly OrderKey[];
  /** Undefined where the engine is to answer. `now`: microseconds since 1970. */
  readonly search: (given: Given<P>, now: Bound) => KeyedSearch | undefined;
};
