import { bind, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** Whether it can be found out which rows of a table were written since a moment. */
export const tellsSince = ({ columns }: TableDefinition): boolean => "ingested_at" in columns || "version" in columns;

/** Rows written since a moment (Unix ms), as a condition: by when they were stored, in derived tables by their version. */
export function storedSince({ columns }: TableDefinition, sinceMs: number): Sql {
  if ("ingested_at" in columns) return sql`ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", BigInt(sinceMs))})`;
  return sql`version >= ${bind("UInt64", BigInt(Math.max(0, sinceMs)) * 1000n)}`;
}
