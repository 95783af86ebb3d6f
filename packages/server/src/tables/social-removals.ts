import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per removal. It immediately hides the named rows in every response, even rows stored later under the id. */
export const socialRemovals = defineTable({
  name: "social_removals",
  about: "Posts, reactions and authors that were deleted at their source or on request.",
  columns: {
    source: stored.choice(SOCIAL_SOURCES, "Source."),
    what: stored.choice(["record", "author"], "A post or reaction, or all of an author."),
    id: stored.text("Id of the post or reaction, or of the author."),
    ts: stored.millis("Time of removal."),
    reason: stored.choice(["deleted", "account", "request"], "Deleted by its author, with its account, or on request."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["id", "source", "what", "ts"],
  key: ["id", "source", "what", "ts"],
  granularity: { own: 256 },
  shardBy: "cityHash64(id)",
});
