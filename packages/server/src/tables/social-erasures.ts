import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * How far the erasure of removed posts is. What was removed by then is gone from the tables themselves, so that answers
 * look only at later removals, and at rows stored later.
 */
export const socialErasures = defineTable({
  name: "social_erasures",
  about: "Up to when removed posts, reactions and authors are erased.",
  columns: {
    through: stored.micros("All removals stored up to then, of all rows stored up to then, are carried out."),
    erased: stored.count("Rows erased in this turn."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["through"],
  key: ["through"],
  shardBy: "cityHash64(through)",
});
