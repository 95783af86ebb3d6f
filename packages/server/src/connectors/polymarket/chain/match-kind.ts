import type { Leg } from "./decode-leg.ts";

type Traded = Pick<Leg, "side" | "tokenId">;
export type MatchKind = "complementary" | "mint" | "merge" | "unknown";

/**
 * How a maker's leg met the taker's: the same token on opposite sides changes hands; two buys of opposite tokens mint a
 * set, two sells merge one. An undefined taker means the operator filled the order alone.
 */
export function makerKind(maker: Traded, taker: Traded | undefined): MatchKind {
  if (taker === undefined) return "unknown";
  if (maker.tokenId === taker.tokenId) return maker.side === taker.side ? "unknown" : "complementary";
  if (maker.side !== taker.side) return "unknown";
  return maker.side === "BUY" ? "mint" : "merge";
}

/** A taker's leg has its makers' kind, complementary if these differ. */
export function takerKind(makers: readonly MatchKind[]): MatchKind {
  const [first, ...others] = new Set(makers);
  if (first === undefined) return "unknown";
  return others.length === 0 ? first : "complementary";
}
