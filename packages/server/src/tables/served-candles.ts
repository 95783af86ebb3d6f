import type { ServedColumn, ServedTable } from "../definition/served.ts";

const money: ServedColumn = { kind: "money" };
const maybeMoney: ServedColumn = { kind: "money", nullable: true };

/** The part of polymarket_candles_1m in the serving index: all of it, by token. */
export const servedCandles: ServedTable = {
  name: "polymarket_candles_1m",
  columns: {
    token_id: { kind: "token" },
    minute: { kind: "seconds" },
    open: money,
    high: money,
    low: money,
    close: money,
    volume: money,
    volume_usd: money,
    price_sum: money,
    trade_count: { kind: "count" },
    version: { kind: "count", near: true },
  },
  sort: ["minute"],
  keys: ["token_id"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 80,
};

/** The part of book_quotes_1m in the serving index: all of it, by instrument. */
export const servedQuotes: ServedTable = {
  name: "book_quotes_1m",
  columns: {
    instrument: { kind: "text" },
    minute: { kind: "seconds" },
    bid_open: maybeMoney,
    bid_high: maybeMoney,
    bid_low: maybeMoney,
    bid_close: maybeMoney,
    ask_open: maybeMoney,
    ask_high: maybeMoney,
    ask_low: maybeMoney,
    ask_close: maybeMoney,
    version: { kind: "count", near: true },
  },
  sort: ["minute"],
  keys: ["instrument"],
  storedAt: "version",
  isVersioned: true,
  rowBytes: 80,
};
