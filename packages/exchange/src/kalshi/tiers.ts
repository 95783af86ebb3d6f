import type { World } from "../world/world.ts";
import type { KalshiMarket } from "../world/kalshi-contract.ts";

/** Shared state of every route and channel of the Kalshi endpoint. */
export interface KalshiContext {
  world: World;
  /**
   * Width of the window below the cutoff in which the live tier still answers, ms: there both tiers have the same
   * record.
   */
  overlap_ms: number;
}

/** Decides which tier serves a record: the live one, the historical one, or near the cutoff both. */
export function tiers({ world, overlap_ms }: KalshiContext) {
  const cutoff = world.kalshi.cutoff();
  return {
    cutoff,
    liveMarket: (market: KalshiMarket) => (market.settled_ms ?? Number.POSITIVE_INFINITY) >= cutoff - overlap_ms,
    historicalMarket: (market: KalshiMarket) => (market.settled_ms ?? Number.POSITIVE_INFINITY) < cutoff,
    /** Trades at or after this are in the live tier. */
    live_trades_from: cutoff - overlap_ms,
  };
}
