import { defineDerivation } from "../../src/definition/derivation.ts";
import { bind, sql } from "../../src/definition/sql.ts";
import type { InsertRow } from "../../src/definition/table.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";

const hex = (value: number, bytes: number): string => `0x${value.toString(16).padStart(bytes * 2, "0")}`;

/** A fill at a Unix second; `id` identifies the fill. */
export function fillRow(id: number, second: number): InsertRow {
  return {
    ts: second,
    tx_hash: hex(id, 32),
    order_hash: hex(id, 32),
    wallet: hex(7, 20),
    token_id: "123456789012345678901234567890",
    side: "BUY",
    role: "taker",
    match_kind: "complementary",
    shares: "2.000000",
    usd: "1.000000",
    fee_usd: "0",
    block_number: id,
    log_index: 0,
    source: "data_api_v2",
  };
}

/** Counts fills by minute, which shows which minutes were derived and from which rows. */
export const minuteCounts = defineDerivation({
  name: "minute_counts",
  title: "Fills by minute",
  from: polymarketFills,
  into: polymarketCandles,
  timestamp: "ts",
  bucketSeconds: 60,
  rebuild: ({ from, to, starts, version }) => {
    const chosen = starts ? sql`AND toUnixTimestamp(toStartOfMinute(ts)) IN ${bind("Array(UInt32)", starts)}` : sql``;
    return sql`INSERT INTO ${polymarketCandles} (token_id, minute, open, high, low, close, volume, volume_usd, trade_count, version) SELECT token_id, toStartOfMinute(ts) AS minute, 0.5, 0.5, 0.5, 0.5, sum(shares), sum(usd), count(), ${bind("UInt64", version)} FROM ${polymarketFills} WHERE ts >= ${bind("DateTime('UTC')", from)} AND ts < ${bind("DateTime('UTC')", to)} ${chosen} GROUP BY token_id, minute`;
  },
});
