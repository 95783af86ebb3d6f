import { SOCIAL_SOURCES, STANCES } from "../definition/social-source.ts";
import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One row per post. `ts` is the source's own time, which orders everything: times declared by authors may be years off.
 * An edit is a newer version; deleted posts are in `social_removals` immediately, and removed from here soon after.
 */
export const socialPosts = defineTable({
  name: "social_posts",
  about: "Posts, comments and articles of the social sources.",
  columns: {
    source: stored.choice(SOCIAL_SOURCES, "Source."),
    id: stored.text("Id at the source: at://did/app.bsky.feed.post/rkey, item number, address of an article, post id."),
    ts: stored.millis("When the source had it, by the source's clock."),
    created_on: stored.millis("When its author says it was written; never after `ts`."),
    author: stored.text("Id of its author at the source: DID, name, domain, user id."),
    username: stored.text("Name of its author; the id where no name is known."),
    url: stored.text("Where it can be read."),
    body: stored.text("Text without markup."),
    lang: stored.label("Language as the source or the text says, ISO 639-1; empty where not known."),
    parent: stored.text("Id of the post it answers or quotes; empty where none."),
    like_count: stored.count("Likes (points) as fetched; 0 where the source tells reactions one by one."),
    retweet_count: stored.count("Reposts as fetched."),
    reply_count: stored.count("Replies as fetched."),
    quote_count: stored.count("Quotes as fetched."),
    sentiment: stored.maybeMoney("Polarity, -1 to 1, market words left out; null for other languages than English."),
    stance: stored.choice(STANCES, "What it says to do or expects of a market."),
    words: stored.words(["body"]),
    ingested_at: stored.ingested(),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  orderBy: ["ts", "source", "id"],
  partitionBy: "toDate(ts)",
  key: ["ts", "source", "id"],
  keyRange: "ts",
  granularity: { own: 1024 },
  keepVersionsHours: 2,
  indexes: [
    "INDEX tokens words TYPE text(tokenizer = splitByString([' '])) GRANULARITY 100000000",
    "INDEX ids id TYPE bloom_filter(0.01) GRANULARITY 1",
    "INDEX authors author TYPE bloom_filter(0.01) GRANULARITY 1",
  ],
  shardBy: "cityHash64(id)",
});
