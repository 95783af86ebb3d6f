import type { TruthCounts } from "./world.ts";

/** Initial counts, all zero. */
export function noCounts(wallets: number): TruthCounts {
  return {
    fills: 0,
    matches: 0,
    polymarket_events: 0,
    polymarket_markets: 0,
    resolved_markets: 0,
    splits: 0,
    merges: 0,
    conversions: 0,
    redemptions: 0,
    transfers: 0,
    wallets,
    book_changes: 0,
    kalshi_markets: 0,
    kalshi_trades: 0,
    kalshi_book_changes: 0,
    posts: 0,
    reactions: 0,
    removals: 0,
    last_seq: 0,
    last_talk_seq: 0,
  };
}
