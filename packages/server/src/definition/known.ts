/** The few things connectors may ask of the store, answered by ingest. */
export type Known =
  | "active_polymarket_tokens"
  | "active_kalshi_tickers"
  /** Those that are active or closed within the last hours: what was traded at their end shows after it. */
  | "recent_kalshi_tickers"
  /** Those that are known as not open yet though their hour has come. */
  | "opening_kalshi_tickers"
  /** Those traded within a day that the catalogue does not have, without combos. */
  | "kalshi_tickers_without_market"
  /** Those that closed hours ago, within a month, and are not known as settled. */
  | "overdue_kalshi_tickers"
  /** Those among the given that are active no more and closed within a month, or are still to close. */
  | "left_kalshi_tickers"
  | "tokens_without_market"
  /** Wallets whose income is due, largest first: "0x… SECOND", up to which it is known (0 where it is not). */
  | "income_wallets"
  /** Phrases that name what the largest open markets are about, most traded first. */
  | "social_terms"
  /** The newest posts of Bluesky, those of them about markets, and the newest reactions: "at://… MS", oldest first. */
  | "recent_bluesky_posts"
  | "mentioned_bluesky_posts"
  | "recent_bluesky_reactions"
  /** Names of Bluesky's authors: "did:… name". */
  | "bluesky_handles";
