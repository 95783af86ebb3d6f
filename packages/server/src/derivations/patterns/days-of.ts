import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { onDays } from "./day-fills.ts";

/** UTC days on which rows of a table with `ts` and `ingested_at` lie: all, or of which something was stored since. */
export function daysOf(table: TableDefinition, since: Bound | undefined): Sql {
  const stored = since ? sql`WHERE ingested_at >= fromUnixTimestamp64Micro(toInt64(${since}))` : sql``;
  return sql`SELECT DISTINCT toDate(ts, 'UTC') AS day FROM ${table} ${stored}`;
}

/** How many fills there are on each of some days. */
export const fillsByDay = (days: Bound): Sql =>
  sql`SELECT toString(toDate(ts, 'UTC')) AS day, toString(count()) AS size FROM ${polymarketFills} WHERE ${onDays(days)} GROUP BY day`;
