import type { Happened } from "./happened.ts";

/** Where a post of the world is written; each has doors of its own. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** A post, comment or article. Its counts change as the world goes on; copy what you keep. */
export interface Post {
  source: SocialSource;
  /** Rises with every post of the world, from 0. */
  number: number;
  /** Id of its author at the source: a DID on Bluesky, a name on Hacker News, a domain of news, a number on X. */
  did: string;
  handle: string;
  /** Unique at the source: a record key (TID) on Bluesky, an item number on Hacker News, an id on X, a path of news. */
  rkey: string;
  /** Content id of the record, as Bluesky has it. */
  cid: string;
  text: string;
  /** What its author says; may be empty, and may be wrong. */
  langs: string[];
  /** World time it was written at. */
  created_ms: number;
  /** What its author says it was written at: now and then years off, as on Bluesky. */
  declared_ms: number;
  /** The post it answers or quotes, of the same source. */
  parent: Post | null;
  /** How it has to do with its parent; null without one. */
  link: "reply" | "quote" | null;
  /** First post of the thread it answers in; null unless it is a reply. */
  root: Post | null;
  /** What moved it; null for chatter. */
  event_id: string | null;
  /** Conditions its text is about, all open when it was written; empty for talk about nothing that trades. */
  condition_ids: readonly string[];
  /** How much its text says of them: the question, all names in it, or a part that a reader would have to guess from. */
  naming: "question" | "names" | "hint" | "none";
  /** What its author says to do or expects of the first outcome. */
  stance: "none" | "buy_yes" | "buy_no" | "up" | "down";
  /** How its author feels, market words aside. */
  tone: -1 | 0 | 1;
  /** Reactions that stand. */
  likes: number;
  reposts: number;
  replies: number;
  quotes: number;
  /** When it was taken away; null while it stands. */
  deleted_ms: number | null;
  /** By its author, or with its author's account. */
  deleted_by: "author" | "account" | null;
}

export interface PostHappening extends Happened {
  kind: "post";
  /** Moment by the source's clock, µs: strictly rising over all happenings of the talk. */
  us: number;
  post: Post;
}
