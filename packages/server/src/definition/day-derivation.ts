import type { Slice } from "./derivation.ts";
import type { Maker } from "./maker.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Bound, Sql } from "./sql.ts";

/** Reads rows for a derivation; 64-bit integers and decimals come as strings. */
export type ReadRows = <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;

/** Reads a statement's answer as the engine prints it in one of its formats, numbers of any size as numbers. */
export type ReadBytes = (statement: Sql, format: string) => Promise<Uint8Array>;

/**
 * How rows of many days are made together (`Array(Date)`): of what lies by other keys all days asked for, slice by slice;
 * of what lies by day parts of them, a day or more in each, whose one slice is from the first day to the last.
 */
type RowsOfDays = (
  | {
      /** SQL whose rows are `Slice`s of the keys, by which rows can be made apart. */
      readonly slices: (days: Bound) => Sql;
    }
  | {
      /** SQL whose rows are days with `size`, what of a million can be read of days at once; parts are made of these. */
      readonly sizes: (days: Bound) => Sql;
    }
) & {
  /** Rows of these days alone; more than once the same. */
  readonly rowsOfSlice: (days: Bound, slice: Slice, readBytes: ReadBytes) => AsyncIterable<PackedRows>;
};

/**
 * A derived table that is worked out for a UTC day at a time: all rows of the day are made again whenever something
 * they hang on changed. `into` has the columns day, is_gone and version, which the machinery fills; rows that are made
 * no more become tombstones, so a rerun leaves what a run left.
 */
export type DaysDerivation = RowsOfDays & Shared;

type Shared = Pick<Maker, "name" | "title" | "from" | "into"> & {
  readonly kind: "day";
  /** A day reads its own table's rows of days before it, so days are worked out one after the other. */
  readonly readsEarlierDays?: true;
  /** Names of day derivations that this one reads: they run before it. */
  readonly after: readonly string[];
  /**
   * Days (column `day`, Date) to work out anew: all that there are, or those of which something was stored (its
   * `ingested_at` or `version`, in microseconds since 1970, is at least `since`). `today` is the UTC day that lasts.
   */
  readonly touched: (asked: { readonly since: Bound | undefined; readonly today: Bound }) => Sql;
};

export const defineDaysDerivation = (derivation: RowsOfDays & Omit<Shared, "kind">): DaysDerivation => ({
  kind: "day",
  ...derivation,
});
