import type { SocialSource } from "./vocabulary.ts";

/** The few queries connectors may make to the store, answered by ingest. */
export type Known =
  | "active_polymarket_tokens"
  | "active_kalshi_tickers"
  /** Markets active, or closed within the last hours: their last trades appear after the close. */
  | "recent_kalshi_tickers"
  /** Markets recorded as not open yet although their opening time has passed. */
  | "opening_kalshi_tickers"
  /** Markets traded within a day that the catalogue lacks, without combos. */
  | "kalshi_tickers_without_market"
  /** Markets that closed hours ago, within a month, and are not known to be settled. */
  | "overdue_kalshi_tickers"
  /** Those of the given markets that are no longer active and closed within a month, or are still to close. */
  | "left_kalshi_tickers"
  | "tokens_without_market"
  /** The earliest and the latest time (Unix ms) after now of stored book events of the given venue, if there are any. */
  | "book_times_ahead"
  /** Wallets whose income is due, largest first: "0x… SECOND", the second up to which it is known (0 if not at all). */
  | "income_wallets"
  /** Phrases that name the topics of the largest open markets, most traded first. */
  | "social_terms"
  /** The newest Bluesky posts, those about markets, and the newest reactions: "at://… MS", oldest first. */
  | "recent_bluesky_posts"
  | "mentioned_bluesky_posts"
  | "recent_bluesky_reactions"
  /** Handles of Bluesky authors: "did:… name". */
  | "bluesky_handles";

/** Stored posts of a source (`ts` in Unix ms) in a Unix ms range, `to` exclusive, not known to be removed. */
export type StoredPosts = (
  source: SocialSource,
  from: number,
  to: number,
) => Promise<readonly { readonly id: string; readonly ts: number }[]>;

/** `seconds` is the time of its first fill. */
export type UnconfirmedTransaction = { readonly tx_hash: string; readonly seconds: number };

export const MAX_UNCONFIRMED = 200;

/** Queries for a check about rows stored by other streams. */
export type StoredFills = {
  /** The time (Unix ms) up to which a stream is complete; undefined before it delivered anything. */
  readonly reachedOf: (stream: string) => Promise<number | undefined>;
  /** The time (Unix ms) from which the stream's live walk is complete; undefined while unknown. */
  readonly sinceOf: (stream: string) => Promise<number | undefined>;
  /** Takers' on-chain fills in these Unix seconds, both inclusive; `key` is that of data/fill-key. */
  readonly takers: (from: number, to: number) => Promise<readonly { readonly seconds: number; readonly key: string }[]>;
  /**
   * Transactions without a stored chain fill, oldest first: those with fills after `from` up to `to` (Unix seconds). At
   * most `MAX_UNCONFIRMED`, apart from others of the last one's second.
   */
  readonly unconfirmed: (from: number, to: number) => Promise<readonly UnconfirmedTransaction[]>;
  /** The transactions of the nearest chain fills before and after these Unix seconds, within a day. */
  readonly confirmedAround: (from: number, to: number) => Promise<readonly string[]>;
  /** The key of every stored fill in these Unix seconds, `to` exclusive. */
  readonly legs: (from: number, to: number) => Promise<readonly string[]>;
  /** Ids of Kalshi trades in these Unix seconds, `to` exclusive. */
  readonly trades: (from: number, to: number) => Promise<readonly string[]>;
};
