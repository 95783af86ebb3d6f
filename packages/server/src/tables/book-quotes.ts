import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Best bid and ask of an instrument by minute (open, high, low, close), from its book's events. */
export const bookQuotes = defineTable({
  name: "book_quotes_1m",
  about: "One-minute quotes of both venues' books.",
  columns: {
    instrument: stored.text("Polymarket token id (decimal) or Kalshi ticker."),
    minute: stored.seconds("Start of the minute."),
    bid_open: stored.maybeMoney("At the first event; null if there was no bid."),
    bid_high: stored.maybeMoney("Null if there was no bid."),
    bid_low: stored.maybeMoney("Null if there was no bid."),
    bid_close: stored.maybeMoney("At the last event; null if there was no bid."),
    ask_open: stored.maybeMoney("At the first event; null if there was no ask."),
    ask_high: stored.maybeMoney("Null if there was no ask."),
    ask_low: stored.maybeMoney("Null if there was no ask."),
    ask_close: stored.maybeMoney("At the last event; null if there was no ask."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  storedAsMade: true,
  orderBy: ["instrument", "minute"],
  granularity: { own: 1024 },
  key: ["instrument", "minute"],
  keyRange: "minute",
  indexes: ["INDEX versions version TYPE minmax GRANULARITY 1"],
  shardBy: "cityHash64(instrument)",
});
