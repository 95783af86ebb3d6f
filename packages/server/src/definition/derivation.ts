import type { Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

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
  readonly version: string;
};

/**
 * A table worked out from tables. `rebuild` is the SQL that makes the rows of `into` again for the buckets (of
 * `bucketSeconds`) that a stored batch touched; running it twice leaves what running it once left.
 * A source may itself be derived: it then tells which of its buckets were made again.
 */
export type Derivation = {
  readonly name: string;
  readonly title: string;
  readonly from: TableDefinition;
  /** Further sources, with the same column for the moment. */
  readonly also?: readonly TableDefinition[];
  readonly into: TableDefinition;
  /** The column of the sources that holds the moment. */
  readonly moment: string;
  readonly bucketSeconds: number;
  readonly rebuild: (buckets: Rebuild) => Sql;
};

export const defineDerivation = (derivation: Derivation): Derivation => derivation;

/** Every table that a derivation reads. */
export const sourcesOf = ({ from, also = [] }: Derivation): readonly TableDefinition[] => [from, ...also];
