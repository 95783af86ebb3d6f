import type { SocialSource } from "./social-source.ts";

/** Stored posts of a source (`ts` in Unix ms) in these Unix ms, `to` excluded, that are not known as removed. */
export type StoredPosts = (
  source: SocialSource,
  from: number,
  to: number,
) => Promise<readonly { readonly id: string; readonly ts: number }[]>;

/** What a check may ask about what other streams stored. */
export type StoredFills = {
  /** Up to when (Unix ms) a stream is complete; undefined before it brought anything. */
  readonly reachedOf: (stream: string) => Promise<number | undefined>;
  /** From when on (Unix ms) the stream's live walk is complete; undefined before it says. */
  readonly sinceOf: (stream: string) => Promise<number | undefined>;
  /** Takers' fills of the chain in these Unix seconds, both included; `key` is that of data/fill-key. */
  readonly takers: (from: number, to: number) => Promise<readonly { readonly seconds: number; readonly key: string }[]>;
  /** The key of every stored fill in these Unix seconds, `to` excluded. */
  readonly legs: (from: number, to: number) => Promise<readonly string[]>;
  /** Ids of Kalshi's trades in these Unix seconds, `to` excluded. */
  readonly trades: (from: number, to: number) => Promise<readonly string[]>;
};
