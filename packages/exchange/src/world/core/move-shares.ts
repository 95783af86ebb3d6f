import type { CoreMarket } from "./core-market.ts";
import type { Crowd } from "./crowd.ts";
import type { Rng } from "./rng.ts";

/** One in so many moments of a market somebody who traded there sends shares to another wallet. */
const ONE_IN = 60;
/** Less than a share is not worth a transaction. */
const LEAST = 100;

/** Perhaps a holder sends shares of this market, whole or half, to a wallet of the crowd: a new account, a debt, a gift. */
export function moveShares(market: CoreMarket, crowd: Crowd, at: number, rng: Rng): void {
  if (rng.below(ONE_IN) !== 0 || !market.open || market.recent.length === 0) return;
  const from = rng.pick(market.recent);
  const to = rng.pick(crowd.noise);
  const isWhole = rng.chance(0.6);
  const part = (held: number): number => (held < LEAST ? 0 : isWhole ? held : Math.floor(held / 2));
  const yes = part(market.available(from, 0));
  const no = part(market.available(from, 1));
  if (from !== to && yes + no > 0) market.transfer(at, from, to, yes, no);
}
