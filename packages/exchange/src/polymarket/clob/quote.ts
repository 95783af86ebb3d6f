import { priceText } from "../decimal-text.ts";
import type { Token } from "./find-token.ts";

/** Best resting price of a side: BUY is the best bid, SELL the best ask; "0" when nothing rests there. */
export function quotePrice({ market, outcome }: Token, side: "BUY" | "SELL"): string {
  const price = side === "BUY" ? market.bestBid(outcome) : market.bestAsk(outcome);
  return price === null ? "0" : priceText(price);
}

/** Middle of the best prices, an empty side counting as 0 or 1. May have half a tick: "0.465". */
export function quoteMiddle({ market, outcome }: Token): string {
  return String(((market.bestBid(outcome) ?? 0) + (market.bestAsk(outcome) ?? 10_000)) / 20_000);
}

/** Best ask less best bid. */
export function quoteSpread({ market, outcome }: Token): string {
  return priceText((market.bestAsk(outcome) ?? 10_000) - (market.bestBid(outcome) ?? 0));
}

/** Last trade of the market in terms of this token. Never traded: 0.5 and an empty side, as the CLOB answers. */
export function quoteLastTrade({ market, outcome }: Token): { price: string; side: string } {
  const last = market.last_trade_price_e4;
  if (last === null) return { price: "0.5", side: "" };
  return { price: priceText(outcome === 0 ? last : 10_000 - last), side: market.last_trade_side ?? "" };
}
