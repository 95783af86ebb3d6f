import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Every Kalshi trade (live and historical tier). Prices are dollars per contract (0 to 1). */
export const kalshiTrades = defineTable({
  name: "kalshi_trades",
  about: "Kalshi's trades.",
  columns: {
    created_time: stored.micros("Trade time."),
    trade_id: stored.text("Kalshi's id of the trade."),
    ticker: stored.text("Ticker of the market."),
    count: stored.money("Contracts; fractions are real."),
    yes_price: stored.money("YES price, USD."),
    no_price: stored.money("NO price, USD."),
    taker_side: stored.choice(["yes", "no"], "Outcome the taker took."),
    is_block_trade: stored.flag("Whether it was a negotiated block."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["created_time", "trade_id"],
  partitionBy: "toYYYYMM(created_time)",
  granularity: { own: 2048, copies: 1024 },
  key: ["created_time", "trade_id"],
  keyRange: "created_time",
  copies: { kalshi_trades_by_ticker: ["ticker", "created_time", "trade_id"] },
  shardBy: "cityHash64(ticker)",
});
