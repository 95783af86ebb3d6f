import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** Polymarket's events (a question with one or more markets), as Gamma provides them. */
export const polymarketEvents = defineTable({
  name: "polymarket_events",
  about: "Polymarket's events.",
  columns: {
    event_id: stored.text("Gamma's id."),
    slug: stored.text("Slug."),
    title: stored.text("Title."),
    series_slug: stored.text("Slug of the series; empty if none."),
    start_date: stored.maybeMicros("Listing time."),
    end_date: stored.maybeSeconds("Scheduled end."),
    created_date: stored.maybeMicros("Creation time."),
    closed: stored.flag("Whether all its markets are closed."),
    active: stored.flag("Whether Gamma calls it active."),
    archived: stored.flag("Whether it is archived."),
    volume: stored.money("Traded volume in USD."),
    market_count: stored.count("Number of markets."),
    neg_risk: stored.flag("Whether it is neg-risk."),
    neg_risk_market_id: stored.text("Neg-risk market id; empty if none."),
    tags: stored.texts("Tag labels."),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["event_id"],
  key: ["event_id"],
  shardBy: "cityHash64(event_id)",
});
