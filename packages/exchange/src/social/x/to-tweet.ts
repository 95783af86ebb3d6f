import type { Operators } from "../query/clause.ts";
import type { Post } from "../../world/social-contract.ts";

/** Codes that X has for languages, where they are not those of ISO. */
const OWN_CODES: Readonly<Record<string, string>> = { he: "iw", id: "in" };

export const TWEET_FIELDS = [
  "author_id",
  "conversation_id",
  "created_at",
  "edit_history_tweet_ids",
  "entities",
  "id",
  "lang",
  "public_metrics",
  "referenced_tweets",
  "text",
] as const;

type Field = (typeof TWEET_FIELDS)[number];

const ALWAYS: readonly string[] = ["edit_history_tweet_ids", "id", "text"] satisfies Field[];

/** A post with the fields asked for. Its text has & < > as entities. */
export function toTweet(post: Post, fields: readonly string[]): object {
  const whole: Record<Field, unknown> = {
    author_id: post.did,
    conversation_id: (post.root ?? post).rkey,
    created_at: new Date(post.created_ms).toISOString(),
    edit_history_tweet_ids: [post.rkey],
    entities: entitiesOf(post),
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

export function toUser({ did, handle }: Post): object {
  return { id: did, name: handle, username: handle };
}

export const operators: Operators = (name, value, post) => {
  if (name === "lang") return langOf(post) === value;
  if (name === "from") return post.handle.toLowerCase() === value || post.did === value;
  if (name === "tag") return tagsIn(post.text).some(([tag]) => tag.toLowerCase() === value);
  if (value === "reply") return post.link === "reply";
  return value === "quote" ? post.link === "quote" : post.text.startsWith("RT @");
};

function relationOf({ link }: Post): string {
  return link === "quote" ? "quoted" : "replied_to";
}

function langOf({ langs: [lang] }: Post): string {
  return lang === undefined ? "und" : (OWN_CODES[lang] ?? lang);
}

function entitiesOf({ text }: Post): object | undefined {
  const hashtags = tagsIn(text)
    .filter(([tag]) => tag.startsWith("#"))
    .map((found) => ({ start: found.index, end: found.index + found[0].length, tag: found[0].slice(1) }));
  return hashtags.length === 0 ? undefined : { hashtags };
}

function tagsIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(/[#$@][\p{L}\p{N}_]+/gu)];
}
