import type { KalshiLevel, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount } from "./to-count.ts";
import { toDollars } from "./to-dollars.ts";

/** Book as REST gives it: bids only, ascending, best last; an empty side is `[]`. `depth` 0 gives every level. */
export function toOrderbook(market: KalshiMarket, depth: number) {
  const book = market.book();
  return { yes_dollars: best(book.yes, depth), no_dollars: best(book.no, depth) };
}

function best(levels: KalshiLevel[], depth: number): [string, string][] {
  const kept = depth > 0 ? levels.slice(-depth) : levels;
  return kept.map((level) => [toDollars(level.price_e4), toCount(level.size_cc)]);
}
