import type { ReadBytes } from "../../definition/day-derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import type { Bound } from "../../definition/sql.ts";
import { DayFills, fillsSql, marketsSql, type DayRun } from "./day-fills.ts";

export const BINARY = "RowBinary";
/** Rows are handed on when there are so many, so that those of all days are not in memory at once. */
export const ROWS_AT_ONCE = 100_000;

/** Rows made of the fills of each of some days by themselves. */
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
