import { bind, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** Whether it can be found out which rows of a table were written since a moment. */
export const tellsSince = ({ columns }: TableDefinition): boolean => "ingested_at" in columns || "version" in columns;

/** Whether a table's rows are made of others: they say when by their version. */
export const isMade = ({ columns }: TableDefinition): boolean => !("ingested_at" in columns);

/** Rows written since a moment (Unix ms), as a condition: by when they were stored, in derived tables by their version. */
export function storedSince(table: TableDefinition, sinceMs: number): Sql {
  if (!isMade(table)) return sql`ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", BigInt(sinceMs))})`;
  return sql`version >= ${bind("UInt64", BigInt(Math.max(0, sinceMs)) * 1000n)}`;
}
