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

/** Between the process that stamps a row and the moment the row can be read, ms: so far back is looked again. */
export const STAMP_MARGIN_MS = 10_000;

/** The Unix second of a row's moment: a number of seconds, or an ISO or engine text in UTC. Throws where it is neither. */
export function rowMoment(value: unknown): number {
  if (typeof value === "number" && Number.isFinite(value)) return Math.floor(value);
  if (typeof value === "string") {
    if (/^\d+(\.\d+)?$/.test(value)) return Math.floor(Number(value));
    const text = value.replace(" ", "T");
    const moment = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || text.length <= 10 ? text : `${text}Z`);
    if (!Number.isNaN(moment)) return Math.floor(moment / 1000);
  }
  throw new TypeError(`not a moment: ${JSON.stringify(value)}`);
}

/** A Unix second as the engine's own text in UTC, e.g. "2026-11-20 10:00:00". */
export function engineSeconds(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 19).replace("T", " ");
}
