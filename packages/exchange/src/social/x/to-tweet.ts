import type { Operators } from "../query/search-query.ts";
import type { Post } from "../../world/social-contract.ts";

/** X's language codes where they differ from ISO. */
const OWN_CODES: Readonly<Record<string, string>> = { he: "iw", id: "in" };

export const TWEET_FIELDS = [
  "author_id",
  "created_at",
  "edit_history_tweet_ids",
  "id",
  "lang",
  "public_metrics",
  "referenced_tweets",
  "text",
] as const;

type Field = (typeof TWEET_FIELDS)[number];

const ALWAYS: readonly string[] = ["edit_history_tweet_ids", "id", "text"] satisfies Field[];

/** A post with the requested fields. & < > in its text are entities. */
export function toTweet(post: Post, fields: readonly string[]): object {
  const whole: Record<Field, unknown> = {
    author_id: post.did,
    created_at: new Date(post.created_ms).toISOString(),
    edit_history_tweet_ids: [post.rkey],
    id: post.rkey,
    lang: langOf(post),
    public_metrics: {
      retweet_count: post.reposts,
      reply_count: post.replies,
      like_count: post.likes,
      quote_count: post.quotes,
      bookmark_count: 0,
      impression_count: 0,
    },
    referenced_tweets: post.parent === null ? undefined : [{ type: relationOf(post), id: post.parent.rkey }],
    text: post.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  };
  const given = Object.entries(whole).filter(([name]) => ALWAYS.includes(name) || fields.includes(name));
  return Object.fromEntries(given);
}

/** `lang:` and `is:retweet`. */
export const operators: Operators = (name, value, post) =>
  name === "lang" ? langOf(post) === value : post.text.startsWith("RT @");

function relationOf({ link }: Post): string {
  return link === "quote" ? "quoted" : "replied_to";
}

function langOf({ langs: [lang] }: Post): string {
  return lang === undefined ? "und" : (OWN_CODES[lang] ?? lang);
}
