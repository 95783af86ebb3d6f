import type { ReadBytes, ReadRows } from "./day-derivation.ts";
import type { Maker } from "./coverage.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";

/** A range of keys, both ends inclusive, as text. */
export type Slice = { readonly first: string; readonly last: string };

/** A key whose sources changed, with the first and last relevant time (Unix seconds). */
export type Touched = { readonly key: string; readonly first: number; readonly last: number };

/** The part of a derived table to rebuild. */
export type Rebuild = {
  /** The range to rebuild, as engine text, half-open. */
  readonly from: string;
  readonly to: string;
  /** Only these buckets (Unix seconds, ascending); undefined means all of the range. */
  readonly starts: readonly number[] | undefined;
  /**
   * The version (microseconds) from which on source rows of these buckets were written, where known: results that
   * depend on older rows only may be left as they are. Only for sources with versions.
   */
  readonly changedSince?: string;
  /** Only these keys, for the whole range. Only where the derivation has `slices`. */
  readonly slice?: Slice;
  /** Only these keys of the buckets, where the derivation has `touched`. */
  readonly touched?: readonly Touched[];
  readonly version: string;
};

/** A derivation's cache under names of its own; kept between cycles. */
export type DerivationMemory = Map<string, unknown>;
export type DerivationReader = { readonly read: ReadRows; readonly memory: DerivationMemory };
export type RowsReader = DerivationReader & { readonly readBytes: ReadBytes };

/**
 * A table derived from other tables. `rebuild` (SQL) or `rows` (TypeScript) produces again the rows of `into` for the
 * buckets (of `bucketSeconds`) that a stored batch touched; it must be idempotent. A source may itself be derived: it
 * then reports which of its buckets were rebuilt.
 */
type Shared = Pick<Maker, "name" | "title" | "into"> & {
  readonly from: TableDefinition;
  /** Sources that only refine its rows, with the same timestamp column; see `finerBy` of Maker. */
  readonly also?: readonly TableDefinition[];
  /** The timestamp column of the sources. */
  readonly timestamp: string;
  readonly bucketSeconds: number;
  /**
   * SQL whose rows are `Slice`s: everything is computed slice by slice, not by time, because rows depend on much
   * earlier ones, or because a key's sources are stored together. The range is then always all of history.
   */
  readonly slices?: Sql;
  /**
   * SQL whose rows are the `Touched` of some buckets: queried first, so that `rebuild` handles a limited number at a
   * time and is skipped if there are none.
   */
  readonly touched?: (buckets: Rebuild) => Sql;
  /** `rebuild` itself writes rows that no longer exist as gone: no deletion is needed afterwards. */
  readonly marksGone?: boolean;
  /** How long touched buckets are batched, for costly statements that are not urgent; else the service's default. */
  readonly gatherSeconds?: number;
  /**
   * Buckets (Unix seconds) to rebuild because of dependencies outside their sources. Polled every `everySeconds` in the
   * ingest process.
   */
  readonly again?: {
    readonly everySeconds: number;
    readonly starts: (reader: DerivationReader) => Promise<readonly number[]>;
  };
};

/** A derivation whose rows one SQL statement produces. */
export type SqlDerivation = Shared & { readonly rebuild: (buckets: Rebuild) => Sql; readonly rows?: undefined };

/**
 * A derivation whose rows are built in TypeScript, in slices, with tombstones for rows that no longer exist; rows that
 * are unchanged in the store cost nothing.
 */
export type RowsDerivation = Shared & {
  readonly rows: (buckets: Rebuild, reader: RowsReader) => AsyncIterable<readonly InsertRow[] | PackedRows>;
  readonly rebuild?: undefined;
  readonly marksGone: true;
};

export type Derivation = SqlDerivation | RowsDerivation;

export const defineDerivation = <Defined extends Derivation>(derivation: Defined): Defined => derivation;

/** Every table that a derivation reads. */
export const sourcesOf = ({ from, also = [] }: Derivation): readonly TableDefinition[] => [from, ...also];
