import { SOCIAL_SOURCES } from "../definition/vocabulary.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/** One row for each market that a post is about, from the catalogue's markets open at the time of the post. */
export const socialMentions = defineTable({
  name: "social_mentions",
  about: "Markets that posts are about.",
  columns: {
    condition_id: stored.condition("Polymarket condition."),
    ts: stored.millis("Time of the post by its source's clock."),
    source: stored.choice(SOCIAL_SOURCES, "Source."),
    post_id: stored.text("The post."),
    author: stored.text("Its author."),
    event_slug: stored.text("Event of the market."),
    term: stored.text("Phrase found in the text."),
    is_gone: stored.flag("The row was retracted."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["condition_id", "ts", "source", "post_id"],
  granularity: { own: 1024, copies: 1024 },
  key: ["condition_id", "ts", "source", "post_id"],
  copies: { social_mentions_by_post: ["ts", "source", "post_id", "condition_id"] },
  shardBy: "cityHash64(condition_id)",
  shardCopiesBy: { social_mentions_by_post: "cityHash64(post_id)" },
});
