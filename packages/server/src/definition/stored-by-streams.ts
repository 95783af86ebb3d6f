import type { SocialSource } from "./social-source.ts";

/** Stored posts of a source (`ts` in Unix ms) in a Unix ms range, `to` exclusive, not known to be removed. */
export type StoredPosts = (
  source: SocialSource,
  from: number,
  to: number,
) => Promise<readonly { readonly id: string; readonly ts: number }[]>;

/** Queries for a check about rows stored by other streams. */
export type StoredFills = {
  /** The time (Unix ms) up to which a stream is complete; undefined before it delivered anything. */
  readonly reachedOf: (stream: string) => Promise<number | undefined>;
  /** The time (Unix ms) from which the stream's live walk is complete; undefined while unknown. */
  readonly sinceOf: (stream: string) => Promise<number | undefined>;
  /** Takers' on-chain fills in these Unix seconds, both inclusive; `key` is that of data/fill-key. */
  readonly takers: (from: number, to: number) => Promise<readonly { readonly seconds: number; readonly key: string }[]>;
  /** The key of every stored fill in these Unix seconds, `to` exclusive. */
  readonly legs: (from: number, to: number) => Promise<readonly string[]>;
  /** Ids of Kalshi trades in these Unix seconds, `to` exclusive. */
  readonly trades: (from: number, to: number) => Promise<readonly string[]>;
};
