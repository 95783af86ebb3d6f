import { SOCIAL_SOURCES, STANCES } from "../definition/vocabulary.ts";
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
    ts: stored.millis("Time at which the source had it, by the source's clock."),
    created_on: stored.millis("Time of writing according to its author; never after `ts`."),
    author: stored.text("Id of its author at the source: DID, name, domain, user id."),
    username: stored.text("Name of its author; the id if no name is known."),
    url: stored.text("URL."),
    body: stored.text("Text without markup."),
    lang: stored.label("Language as reported by the source or detected in the text, ISO 639-1; empty if unknown."),
    parent: stored.text("Id of the post it answers or quotes; empty if none."),
    like_count: stored.count("Likes (points) as fetched; 0 if the source reports reactions individually."),
    retweet_count: stored.count("Reposts as fetched."),
    reply_count: stored.count("Replies as fetched."),
    quote_count: stored.count("Quotes as fetched."),
    sentiment: stored.maybeMoney("Polarity, -1 to 1, without market words; null for languages other than English."),
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
