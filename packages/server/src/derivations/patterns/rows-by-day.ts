import type { ReadBytes } from "../../definition/day-derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import { type Bound, sql, type Sql } from "../../definition/sql.ts";
import { DayFills, fillsSql, marketsSql, type DayRun, onDays } from "./day-fills.ts";
import type { TableDefinition } from "../../definition/table.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";

/** UTC days on which rows of a table with `ts` and `ingested_at` lie: all, or those with rows stored since a time. */
export function daysOf(table: TableDefinition, since: Bound | undefined): Sql {
  const stored = since ? sql`WHERE ingested_at >= fromUnixTimestamp64Micro(toInt64(${since}))` : sql``;
  return sql`SELECT DISTINCT toDate(ts, 'UTC') AS day FROM ${table} ${stored}`;
}

/** Number of fills on each of some days. */
export const fillsByDay = (days: Bound): Sql =>
  sql`SELECT toString(toDate(ts, 'UTC')) AS day, toString(count()) AS size FROM ${polymarketFills} WHERE ${onDays(days)} GROUP BY day`;

export const BINARY = "RowBinary";
/** Rows per batch, so that the rows of all days are not in memory at once. */
export const ROWS_AT_ONCE = 100_000;

/** Rows derived from the fills of each of some days separately. */
export async function* rowsByDay(
  days: Bound,
  readBytes: ReadBytes,
  write: (row: RowWriter, fills: DayFills, run: DayRun) => Promise<void>,
): AsyncGenerator<PackedRows> {
  const fills = new DayFills(await readBytes(fillsSql(days), BINARY), await readBytes(marketsSql(days), BINARY));
  let row = new RowWriter();
  for (const run of fills.days()) {
    await write(row, fills, run);
    if (row.written < ROWS_AT_ONCE) continue;
    yield row.packed();
    row = new RowWriter();
  }
  if (row.written > 0) yield row.packed();
}
