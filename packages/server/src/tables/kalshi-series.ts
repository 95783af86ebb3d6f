import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Kalshi's series (templates of events). */
export const kalshiSeries = defineTable({
  name: "kalshi_series",
  about: "Kalshi's series.",
  columns: {
    series_ticker: stored.text("Ticker."),
    title: stored.text("Title."),
    category: stored.text("Category."),
    frequency: stored.label("How often it recurs, as given."),
    tags: stored.texts("Tags."),
    fee_type: stored.label("Fee model as given."),
    fee_multiplier: stored.maybeMoney("Fee multiplier; null where not given."),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["series_ticker"],
  key: ["series_ticker"],
  shardBy: "cityHash64(series_ticker)",
});
