import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** The tags of Polymarket's events, as Gamma lists them, with the known part of their hierarchy. */
export const polymarketTags = defineTable({
  name: "polymarket_tags",
  about: "Polymarket's tags.",
  columns: {
    tag_id: stored.text("Gamma's id."),
    label: stored.text("Label, as in the lists of tags of markets and events."),
    slug: stored.text("Slug."),
    parent_slug: stored.maybeText("Slug of the parent tag; empty at the top, null if unknown."),
    created_at: stored.maybeMicros("Creation time."),
    updated_at: stored.maybeMicros("Last change at the venue."),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["tag_id"],
  key: ["tag_id"],
  keepVersionsHours: 24,
  shardBy: "cityHash64(tag_id)",
});
