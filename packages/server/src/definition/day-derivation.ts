import type { Slice } from "./derivation.ts";
import type { Maker } from "./coverage.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Bound, Sql } from "./sql.ts";

/** Reads rows for a derivation; 64-bit integers and decimals come as strings. */
export type ReadRows = <T extends Record<string, unknown>>(statement: Sql) => Promise<T[]>;

/** Reads a statement's result as bytes in an engine format; numbers of any size are printed as numbers. */
export type ReadBytes = (statement: Sql, format: string) => Promise<Uint8Array>;

/**
 * How rows of many days (`Array(Date)`) are built together. With `slices` (sources sorted by other keys): all days,
 * slice by slice. With `sizes` (sources sorted by day): batches of days, each as one slice from first to last day.
 */
type RowsOfDays = (
  | {
      /** SQL whose rows are `Slice`s of the keys that can be built independently. */
      readonly slices: (days: Bound) => Sql;
    }
  | {
      /** SQL whose rows are days with a `size`; days are batched up to a total size of a million. */
      readonly sizes: (days: Bound) => Sql;
    }
) & {
  /** The rows of these days only; deterministic, so that a rerun gives the same rows. */
  readonly rowsOfSlice: (days: Bound, slice: Slice, readBytes: ReadBytes) => AsyncIterable<PackedRows>;
};

/**
 * A derived table computed one UTC day at a time: all rows of the day are rebuilt whenever one of their sources
 * changed. The framework fills the columns day, is_gone and version of `into`; rows no longer produced become
 * tombstones, so a rerun is idempotent.
 */
export type DaysDerivation = RowsOfDays & Shared;

type Shared = Pick<Maker, "name" | "title" | "from" | "into"> & {
  readonly kind: "day";
  /** A day reads its own table's rows of earlier days, so days are computed one after the other. */
  readonly readsEarlierDays?: true;
  /** Names of the day derivations that this one reads: they run first. */
  readonly after: readonly string[];
  /**
   * Days (column `day`, Date) to recompute: all of them, or those with rows stored since `since` (by `ingested_at` or
   * `version`, in microseconds since 1970). `today` is the current UTC day.
   */
  readonly touched: (requested: { readonly since: Bound | undefined; readonly today: Bound }) => Sql;
};

export const defineDaysDerivation = (derivation: RowsOfDays & Omit<Shared, "kind">): DaysDerivation => ({
  kind: "day",
  ...derivation,
});
