import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import type { MovedTable } from "./moved-table.ts";

const HOUR_MS = 3_600_000;
const VERSION = "version";

/** Whether a row was stored at a moment (ms since 1970) or later. False of every row of a table without a stamp. */
export function storedSince({ stamp }: MovedTable, ms: number): Sql {
  if (stamp === undefined) return sql`0`;
  const micros = String(Math.round(ms) * 1000);
  if (stamp === VERSION) return sql`version >= ${bind("UInt64", micros)}`;
  return sql`${fromDefinition(stamp)} >= fromUnixTimestamp64Micro(${bind("Int64", micros)}, 'UTC')`;
}

/** Whether the engine keeps a row for an hour more, so that both sides have it; true where rows stay. */
export function staysOn(table: MovedTable, nowMs: number): Sql {
  if (table.keepHours === undefined) return sql`1`;
  return storedSince(table, nowMs - (table.keepHours - 1) * HOUR_MS);
}
