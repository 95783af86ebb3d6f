import { setImmediate as breathe } from "node:timers/promises";
import type { ReadBytes } from "../../definition/day-derivation.ts";
import type { Slice } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { RowWriter } from "../../definition/row-writer.ts";
import type { Bound } from "../../definition/sql.ts";
import { Legs } from "./legs.ts";
import { MarketPrices } from "./market-prices.ts";
import { legsSql, outcomesSql } from "./outcomes-sql.ts";
import { marketsOf } from "./outcomes.ts";
import { writeEntries } from "./write-entries.ts";

const BINARY = "RowBinary";
/** Rows per batch, so that those of a slice are not all in memory at once. */
const ROWS_AT_ONCE = 100_000;
/** Markets processed before control returns to the event loop, because the process also serves requests. */
const MARKETS_PER_CYCLE = 100;

/** The rows of `wallet_entries` of the markets of a slice that were resolved on some days. */
export async function* entriesOfSlice(days: Bound, slice: Slice, readBytes: ReadBytes): AsyncGenerator<PackedRows> {
  const markets = marketsOf(await readBytes(outcomesSql(days, slice), BINARY));
  const legs = new Legs(await readBytes(legsSql(days, slice), BINARY));
  let row = new RowWriter();
  for (const [index, market] of markets.entries()) {
    if (index % MARKETS_PER_CYCLE === MARKETS_PER_CYCLE - 1) await breathe();
    const prices = new MarketPrices(market, legs);
    for (const outcome of market) writeEntries(row, outcome, legs, prices);
    if (row.written < ROWS_AT_ONCE) continue;
    yield row.packed();
    row = new RowWriter();
  }
  if (row.written > 0) yield row.packed();
}
