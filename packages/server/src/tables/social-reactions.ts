import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row per reaction, only to posts about markets. Retracted by its id in `social_removals`. */
export const socialReactions = defineTable({
  name: "social_reactions",
  about: "Likes, reposts, replies and quotes of posts about markets, where the source reports them individually.",
  columns: {
    source: stored.choice(SOCIAL_SOURCES, "Source."),
    post_id: stored.text("The post it is about."),
    kind: stored.choice(["like", "repost", "reply", "quote"], "Kind."),
    ts: stored.millis("Time at which the source had it, by the source's clock."),
    id: stored.text("Id of the reaction at the source."),
    ingested_at: stored.ingested(),
  },
  engine: "MergeTree",
  orderBy: ["post_id", "kind", "id", "ts"],
  key: ["post_id", "kind", "id", "ts"],
  granularity: { own: 1024 },
  shardBy: "cityHash64(post_id)",
});
