import type { Happened } from "./happened.ts";
import type { Post, PostHappening, SocialSource } from "./social-contract.ts";

/** Time by the source's clock, µs: strictly increasing over all social happenings. */
interface Reported extends Happened {
  us: number;
}

/** A like or repost. A source's own equivalents (points) count as likes. */
export interface Reaction {
  source: SocialSource;
  type: "like" | "repost";
  post: Post;
  /** Author id of the reactor. */
  did: string;
  rkey: string;
  cid: string;
  created_ms: number;
  /** Time it was retracted or removed with its account; null while it exists. */
  removed_ms: number | null;
  removed_by: "author" | "account" | null;
}

export interface ReactionHappening extends Reported {
  kind: "reaction";
  reaction: Reaction;
}

/** An author retracts a post or a reaction. Removals caused by a deleted account are reported by the account alone. */
export interface RemovalHappening extends Reported {
  kind: "removal";
  removed: { post: Post } | { reaction: Reaction };
}

/** A Bluesky account changes its handle. */
export interface IdentityHappening extends Reported {
  kind: "identity";
  did: string;
  handle: string;
}

/** A Bluesky account is created (active), or permanently gone with all of its posts and reactions. */
export interface AccountHappening extends Reported {
  kind: "account";
  did: string;
  active: boolean;
  status: "deleted" | "takendown" | null;
}

/** All social happenings. */
export type SocialHappening =
  | PostHappening
  | ReactionHappening
  | RemovalHappening
  | IdentityHappening
  | AccountHappening;

const KINDS: ReadonlySet<string> = new Set(["post", "reaction", "removal", "identity", "account"]);

/** Whether it is a social happening. */
export function isTalk(happening: { kind: string }): boolean {
  return KINDS.has(happening.kind);
}
