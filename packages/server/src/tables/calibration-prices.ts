import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per resolved market of either venue and horizon, where it had a price that long before its end. */
export const calibrationPrices = defineTable({
  name: "calibration_prices",
  about: "Prices of resolved markets at fixed times before their end, with their payouts.",
  columns: {
    day: stored.day("UTC day of the resolution."),
    venue: stored.choice(["polymarket", "kalshi"], "Venue."),
    market: stored.text("Condition id as 0x-hex, or ticker."),
    horizon_hours: stored.count("Hours before the end: 1, 24 or 168."),
    category: stored.text("Category path; empty if unknown."),
    price: stored.money("Last trade's price of outcome 0 (YES) until then, USD."),
    payout: stored.money("Payout per share, USD."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["day", "venue", "market", "horizon_hours"],
  granularity: { own: 1024 },
  key: ["day", "venue", "market", "horizon_hours"],
  shardBy: "cityHash64(market)",
});
