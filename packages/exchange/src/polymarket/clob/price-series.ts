import type { MatchHappening, OutcomeIndex, PolymarketMarket } from "../../world/contract.ts";

/** A moment (seconds) and the last traded price (USD) of a token then. */
export interface PricePoint {
  t: number;
  p: number;
}

/** The price of a match in terms of one outcome: the level it touched, 1e-4. */
function matchPrice(match: MatchHappening, outcome: OutcomeIndex): number {
  return match.taker.outcome === outcome ? match.touched_price_e4 : 10_000 - match.touched_price_e4;
}

/**
 * Last traded price at each step of a grid from `fromSeconds` to `toSeconds`, nothing before the first trade.
 * At most `limit` points, the oldest first.
 */
export function priceSeries(
  market: PolymarketMarket,
  outcome: OutcomeIndex,
  grid: { fromSeconds: number; toSeconds: number; stepSeconds: number; limit: number },
): PricePoint[] {
  const matches = market.matches();
  const points: PricePoint[] = [];
  let next = 0;
  let price: number | undefined;
  const first = Math.ceil(grid.fromSeconds / grid.stepSeconds) * grid.stepSeconds;
  for (let t = first; t <= grid.toSeconds && points.length < grid.limit; t += grid.stepSeconds) {
    for (let match = matches[next]; match !== undefined && match.ms <= t * 1000; match = matches[next]) {
      price = matchPrice(match, outcome);
      next += 1;
    }
    if (price !== undefined) points.push({ t, p: price / 10_000 });
  }
  return points;
}
