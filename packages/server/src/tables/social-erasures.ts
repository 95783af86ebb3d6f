import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * Progress of the erasure of removed posts. Anything removed by then is deleted from the tables themselves, so that
 * queries check only later removals, and rows stored later.
 */
export const socialErasures = defineTable({
  name: "social_erasures",
  about: "Time up to which removed posts, reactions and authors are erased.",
  columns: {
    through: stored.micros("All removals stored up to this time are applied to all rows stored up to this time."),
    erased: stored.count("Rows erased in this cycle."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["through"],
  key: ["through"],
  shardBy: "cityHash64(through)",
});
