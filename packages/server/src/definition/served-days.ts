import type { Given, OrderKey, Params } from "./dataset.ts";
import type { MadeValue } from "./served-buckets.ts";
import type { ServedTable } from "./served.ts";
import type { Bound } from "./sql.ts";

/** A day of a key, by the names of its columns, until the walk goes on. */
export type ServedDay = {
  /** Seconds and counts; a flag is 0 or 1. */
  readonly number: (column: string) => number;
  /** Money in millionths. */
  readonly micros: (column: string) => number | bigint;
};

/** A row of the answer. */
export type MadeRow = {
  /** What rows are ordered by before their keys: seconds, or 0 in all. */
  readonly at: number;
  readonly values: () => Readonly<Record<string, MadeValue>>;
};

export type DaySearch = {
  readonly keys: readonly string[];
  /** Of days in seconds, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** What is made of the days of a key, which come the earliest first, as its rows do. */
  readonly rows: (key: string, days: Iterable<ServedDay>) => Iterable<MadeRow>;
  /** Pages go back from the latest rows, each shown the earliest first. */
  readonly isBackward?: boolean;
};

/**
 * How a dataset is answered from days held by a key, in the same bytes and order as by its query, which answers where
 * these do not reach.
 */
export type ServedDays<P extends Params = Params> = {
  readonly days: ServedTable;
  /** The column of the key. */
  readonly key: string;
  /** As in the query, where pages go forward: a moment and the key, or the key alone. */
  readonly order: readonly OrderKey[];
  /** Undefined where the engine is to answer. `now`: microseconds since 1970. */
  readonly search: (given: Given<P>, now: Bound) => DaySearch | undefined;
};
