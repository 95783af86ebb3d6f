import type { Sql } from "./sql.ts";
import type { TableDefinition } from "./table.ts";

/**
 * A table worked out from tables. `rebuild` is the SQL that makes the rows of `into` again for the buckets (of
 * `bucketSeconds`) that a stored batch touched; running it twice leaves what running it once left.
 */
export type Derivation = {
  readonly name: string;
  readonly title: string;
  readonly from: TableDefinition;
  readonly into: TableDefinition;
  /** The column of `from` that holds the moment. */
  readonly moment: string;
  readonly bucketSeconds: number;
  readonly rebuild: (buckets: {
    readonly from: string;
    readonly to: string;
    readonly starts: readonly number[] | undefined;
    readonly version: string;
  }) => Sql;
};

export const defineDerivation = (derivation: Derivation): Derivation => derivation;
