import type { Happened } from "./happened.ts";

/** Where a post of the world is written; each has doors of its own. */
export const SOCIAL_SOURCES = ["bluesky", "hackernews", "gdelt", "x"] as const;
export type SocialSource = (typeof SOCIAL_SOURCES)[number];

/** A post, comment or article. Its counts change as the world goes on; copy what you keep. */
export interface Post {
  source: SocialSource;
  /** Rises with every post of the world, from 0. */
  number: number;
  did: string;
  handle: string;
  /** Record key, unique for the did. */
  rkey: string;
  text: string;
  langs: string[];
  /** World time it was written at. */
  created_ms: number;
  /** What its author says it was written at: now and then years off, as on Bluesky. */
  declared_ms: number;
  /** The post it answers or quotes. */
  parent: Post | null;
  /** What moved it; null for chatter. */
  event_id: string | null;
  /** Conditions it is about; empty for talk about nothing that trades. */
  condition_ids: readonly string[];
  likes: number;
  reposts: number;
  replies: number;
  quotes: number;
  /** When its author deleted it; null while it stands. */
  deleted_ms: number | null;
}

export interface PostHappening extends Happened {
  kind: "post";
  post: Post;
}
