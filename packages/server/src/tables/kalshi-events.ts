import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Kalshi's events. */
export const kalshiEvents = defineTable({
  name: "kalshi_events",
  about: "Kalshi's events.",
  columns: {
    event_ticker: stored.text("Ticker."),
    series_ticker: stored.text("Ticker of the series."),
    title: stored.text("Title."),
    sub_title: stored.text("Sub-title; empty where none."),
    category: stored.text("Category; empty where not given."),
    mutually_exclusive: stored.flag("Whether exactly one of its markets can resolve yes."),
    strike_date: stored.maybeMicros("Strike moment; null where none."),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["event_ticker"],
  key: ["event_ticker"],
  shardBy: "cityHash64(event_ticker)",
});
