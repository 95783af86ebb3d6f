import { bind, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";

/** Whether rows of a table written since a time can be found. */
export const reportsSince = ({ columns }: TableDefinition): boolean => "ingested_at" in columns || "version" in columns;

/** Whether a table's rows are derived: their version is their write time. */
export const isMade = ({ columns }: TableDefinition): boolean => !("ingested_at" in columns);

/** Condition for rows written since a time (Unix ms): by ingestion time, in derived tables by version. */
export function storedSince(table: TableDefinition, sinceMs: number): Sql {
  if (!isMade(table)) return sql`ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", BigInt(sinceMs))})`;
  return sql`version >= ${bind("UInt64", BigInt(Math.max(0, sinceMs)) * 1000n)}`;
}

/** Longest time between stamping a row and the row being readable, ms: queries look back this much further. */
export const STAMP_MARGIN_MS = 10_000;

/** The Unix second of a row's time: a number of seconds, or ISO or engine text in UTC. Throws otherwise. */
export function rowTimestamp(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return Math.floor(value);
  if (typeof value === "string") {
    if (/^\d+(\.\d+)?$/.test(value)) return Math.floor(Number(value));
    const text = value.replace(" ", "T");
    const timestamp = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || text.length <= 10 ? text : `${text}Z`);
    if (!Number.isNaN(timestamp)) return Math.floor(timestamp / 1000);
  }
  throw new TypeError(`not a timestamp: ${JSON.stringify(value)}`);
}

/** Formats a Unix second as the engine's text in UTC, e.g. "2026-11-20 10:00:00". */
export function engineSeconds(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19).replace("T", " ");
}
