import type { KalshiLevel, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount, toDollars } from "./texts.ts";

/** Book as REST returns it: bids only, ascending, best last; an empty side is `[]`. */
export function toOrderbook(market: KalshiMarket) {
  const book = market.book();
  return { yes_dollars: toLevels(book.yes), no_dollars: toLevels(book.no) };
}

export function toLevels(levels: readonly KalshiLevel[]): [string, string][] {
  return levels.map((level) => [toDollars(level.price_e4), toCount(level.size_cc)]);
}
