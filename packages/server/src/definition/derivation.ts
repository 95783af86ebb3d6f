import type { ReadBytes, ReadRows } from "./day-derivation.ts";
import type { Maker } from "./maker.ts";
import type { PackedRows } from "./packed-rows.ts";
import type { Sql } from "./sql.ts";
import type { InsertRow, TableDefinition } from "./table.ts";

/** A run of keys, both inclusive, as text. */
export type Slice = { readonly first: string; readonly last: string };

/** A key of which sources changed, from the first to the last moment that matters (Unix seconds). */
export type Touched = { readonly key: string; readonly first: number; readonly last: number };

/** Which part of a derived table is to be made again. */
export type Rebuild = {
  /** Engine text, half-open. */
  readonly from: string;
  readonly to: string;
  /** Only these buckets (Unix seconds, ascending); undefined means all of the range. */
  readonly starts: readonly number[] | undefined;
  /**
   * Version (microseconds) from which on source rows of these buckets were written, where that is known: what hangs on
   * older rows alone may be left as it is. Only for sources with versions.
   */
  readonly changedSince?: string;
  /** All of these keys, whatever the range. Only where `slices` tells them. */
  readonly slice?: Slice;
  /** Of the buckets only these keys, where the derivation tells them by `touched`. */
  readonly touched?: readonly Touched[];
  readonly version: string;
};

/** What a derivation wants to know only once, by names of its own; kept from turn to turn. */
export type DerivationMemory = Map<string, unknown>;
export type DerivationReader = { readonly read: ReadRows; readonly memory: DerivationMemory };
export type RowsReader = DerivationReader & { readonly readBytes: ReadBytes };

/**
 * A table worked out from tables. `rebuild` is the SQL (or `rows` makes the rows) that makes the rows of `into` again for the buckets (of
 * `bucketSeconds`) that a stored batch touched; running it twice leaves what running it once left.
 * A source may itself be derived: it then tells which of its buckets were made again.
 */
type Shared = Pick<Maker, "name" | "title" | "into"> & {
  readonly from: TableDefinition;
  /** Sources that make its rows finer, with the same column for the moment; see `finerBy` of Maker. */
  readonly also?: readonly TableDefinition[];
  /** The column of the sources that holds the moment. */
  readonly moment: string;
  readonly bucketSeconds: number;
  /**
   * SQL whose rows are `Slice`s: everything is worked out slice by slice, not by time, because rows hang on others
   * long before, or because a key's sources lie together. Then all of the range is all there is.
   */
  readonly slices?: Sql;
  /**
   * SQL whose rows are the `Touched` of some buckets: looked up first, so that `rebuild` is called with some of them at
   * a time, and not where there are none.
   */
  readonly touched?: (buckets: Rebuild) => Sql;
  /** `rebuild` writes what is no more as gone itself: nothing is to be deleted afterwards. */
  readonly marksGone?: boolean;
  /** How long touched buckets are gathered, where their statement is dear and nobody waits for seconds; else as the service does. */
  readonly gatherSeconds?: number;
  /**
   * Buckets (Unix seconds) to be made again because of what their rows hang on beside their sources. Asked every so many
   * seconds, of the process that gathers.
   */
  readonly again?: {
    readonly everySeconds: number;
    readonly starts: (reader: DerivationReader) => Promise<readonly number[]>;
  };
};

/** One whose rows one statement makes. */
export type SqlDerivation = Shared & { readonly rebuild: (buckets: Rebuild) => Sql; readonly rows?: undefined };

/**
 * One whose rows are made in TypeScript, in slices, with what is gone as rows that say so; rows that are stored as they
 * are cost nothing.
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
