import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Candles as Kalshi provides them. Prices are dollars per contract; null where the period had no trade. */
export const kalshiCandles = defineTable({
  name: "kalshi_candles",
  about: "Kalshi's own candles.",
  columns: {
    ticker: stored.text("Ticker of the market."),
    period_minutes: stored.count("1: one-minute candles are requested."),
    end_time: stored.seconds("Inclusive end of the period."),
    open: stored.maybeMoney("First trade."),
    high: stored.maybeMoney("Highest trade."),
    low: stored.maybeMoney("Lowest trade."),
    close: stored.maybeMoney("Last trade."),
    mean: stored.maybeMoney("Mean as reported by Kalshi."),
    volume: stored.money("Contracts."),
    open_interest: stored.maybeMoney("Open contracts at the end; null if not reported."),
    yes_bid_open: stored.maybeMoney("Null if the side was empty."),
    yes_bid_high: stored.maybeMoney("Null if the side was empty."),
    yes_bid_low: stored.maybeMoney("Null if the side was empty."),
    yes_bid_close: stored.maybeMoney("Null if the side was empty."),
    yes_ask_open: stored.maybeMoney("Null if the side was empty."),
    yes_ask_high: stored.maybeMoney("Null if the side was empty."),
    yes_ask_low: stored.maybeMoney("Null if the side was empty."),
    yes_ask_close: stored.maybeMoney("Null if the side was empty."),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["ticker", "period_minutes", "end_time"],
  granularity: { own: 1024 },
  key: ["ticker", "period_minutes", "end_time"],
  keyRange: "end_time",
  shardBy: "cityHash64(ticker)",
});
