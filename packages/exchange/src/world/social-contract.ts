import type { Happened } from "./happened.ts";

/** Source at which a post of the world is published; each has its own endpoints. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** A post, comment or article. Its counts change as the world advances; copy what you keep. */
export interface Post {
  source: SocialSource;
  /** Increases with every post of the world, from 0. */
  number: number;
  /** Author id at the source: a DID on Bluesky, a name on Hacker News, a domain for news, a number on X. */
  did: string;
  handle: string;
  /**
   * Unique at the source: a record key (TID) on Bluesky, an item number on Hacker News, an id on X, a path for news.
   */
  rkey: string;
  /** Content id of the record, in Bluesky's format. */
  cid: string;
  text: string;
  /** Text by its author; may be empty, and may be wrong. */
  langs: string[];
  /** World time at which it was written. */
  created_ms: number;
  /** Creation time declared by its author: occasionally years off, as on Bluesky. */
  declared_ms: number;
  /** The post it replies to or quotes, from the same source. */
  parent: Post | null;
  /** Relation to its parent; null without one. */
  link: "reply" | "quote" | null;
  /** First post of the thread it replies in; null unless it is a reply. */
  root: Post | null;
  /** Event whose price jump caused it; null if none. */
  event_id: string | null;
  /** Conditions its text is about, all open when it was written; empty for posts unrelated to any market. */
  condition_ids: readonly string[];
  /** How much its text identifies them: the question, all names in it, or a part from which a reader must guess. */
  naming: "question" | "names" | "hint" | "none";
  /** Position its author states or expectation for the first outcome. */
  stance: "none" | "buy_yes" | "buy_no" | "up" | "down";
  /** Author's sentiment, apart from market words. */
  tone: -1 | 0 | 1;
  /** Current number of reactions. */
  likes: number;
  reposts: number;
  replies: number;
  quotes: number;
  /** Deletion time; null while it exists. */
  deleted_ms: number | null;
  /** Deleted by its author, or with its author's account. */
  deleted_by: "author" | "account" | null;
}

export interface PostHappening extends Happened {
  kind: "post";
  /** Time by the source's clock, µs: strictly increasing over all social happenings. */
  us: number;
  post: Post;
}
