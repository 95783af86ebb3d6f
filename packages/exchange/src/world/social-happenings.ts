import type { Happened } from "./happened.ts";
import type { Post, PostHappening, SocialSource } from "./social-contract.ts";

/** Moment by the source's clock, µs: strictly rising over all happenings of the talk. */
interface Told extends Happened {
  us: number;
}

/** A like or repost. Where a source has other words for it (points), it is a like. */
export interface Reaction {
  source: SocialSource;
  type: "like" | "repost";
  post: Post;
  /** Who reacts. */
  did: string;
  rkey: string;
  cid: string;
  created_ms: number;
  /** When it was taken back, or went with its account; null while it stands. */
  removed_ms: number | null;
  removed_by: "author" | "account" | null;
}

export interface ReactionHappening extends Told {
  kind: "reaction";
  reaction: Reaction;
}

/** An author takes back a post or a reaction. What goes with a whole account is told by the account alone. */
export interface RemovalHappening extends Told {
  kind: "removal";
  removed: { post: Post } | { reaction: Reaction };
}

/** An account of Bluesky has a handle from now on. */
export interface IdentityHappening extends Told {
  kind: "identity";
  did: string;
  handle: string;
}

/** An account of Bluesky is made (active), or gone with all that it wrote and every reaction of it, for good. */
export interface AccountHappening extends Told {
  kind: "account";
  did: string;
  active: boolean;
  status: "deleted" | "takendown" | null;
}

/** All that happens where people talk. */
export type SocialHappening =
  | PostHappening
  | ReactionHappening
  | RemovalHappening
  | IdentityHappening
  | AccountHappening;

const KINDS: ReadonlySet<string> = new Set(["post", "reaction", "removal", "identity", "account"]);

/** Is it of the talk? */
export function isTalk(happening: { kind: string }): boolean {
  return KINDS.has(happening.kind);
}
