import type { OutcomeIndex, PolymarketMarket } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";

/** A token of a market: the market and which of its outcomes the token is. */
export interface Token {
  market: PolymarketMarket;
  outcome: OutcomeIndex;
}

/** Undefined for an id that is no token of the world (a condition id, slug or Gamma id is not one either). */
export function findToken(world: World, tokenId: string | undefined): Token | undefined {
  const market = tokenId === undefined ? undefined : world.polymarket.market(tokenId);
  if (market === undefined) return undefined;
  const outcome = market.token_ids.indexOf(tokenId ?? "");
  return outcome === 0 || outcome === 1 ? { market, outcome } : undefined;
}

/** The token, when its book can be asked for: a closed market has none. */
export function findOpenToken(world: World, tokenId: string | undefined): Token | undefined {
  const token = findToken(world, tokenId);
  return token === undefined || token.market.closed ? undefined : token;
}
