import type { TableDefinition } from "../../definition/table.ts";

/** Which Parquet files fill which table, and how their columns become the table's. */
export type BulkFile = {
  readonly files: string;
  readonly table: TableDefinition;
  readonly structure: string;
  readonly select: Readonly<Record<string, string>>;
  /** What follows FROM: which rows of the file, or by what they become one. */
  readonly rest?: string;
};
