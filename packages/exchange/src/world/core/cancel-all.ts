import type { CoreMarket } from "./core-market.ts";

/** Trading ends: every resting order goes and gives back what it locked. */
export function cancelAll(market: CoreMarket): void {
  for (const side of [market.bids, market.asks]) {
    while (side.levels.length > 0) {
      const level = side.best();
      if (level !== undefined) market.cancel(side.first(level));
    }
  }
  market.quotes = market.makers.map(() => []);
  market.loose.length = 0;
}
