import type { ServedColumn, ServedTable } from "../definition/served.ts";

const money: ServedColumn = { kind: "money" };
const maybeMoney: ServedColumn = { kind: "money", nullable: true };

/** The part of kalshi_candles in the serving index, by ticker: one-minute candles only. */
export const servedKalshiCandles: ServedTable = {
  name: "kalshi_candles",
  columns: {
    ticker: { kind: "text" },
    end_time: { kind: "seconds" },
    open: maybeMoney,
    high: maybeMoney,
    low: maybeMoney,
    close: maybeMoney,
    mean: maybeMoney,
    volume: money,
    open_interest: maybeMoney,
    yes_bid_open: maybeMoney,
    yes_bid_high: maybeMoney,
    yes_bid_low: maybeMoney,
    yes_bid_close: maybeMoney,
    yes_ask_open: maybeMoney,
    yes_ask_high: maybeMoney,
    yes_ask_low: maybeMoney,
    yes_ask_close: maybeMoney,
    ingested_at: { kind: "micros" },
  },
  sort: ["end_time"],
  keys: ["ticker"],
  storedAt: "ingested_at",
  isVersioned: true,
  only: { column: "period_minutes", is: 1 },
  rowBytes: 100,
};
