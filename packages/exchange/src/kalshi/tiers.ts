import type { KalshiMarket } from "../world/kalshi-contract.ts";
import type { KalshiContext } from "./context.ts";

/** Which tier answers for a record: the live one, the historical one, or near the cutoff both. */
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
