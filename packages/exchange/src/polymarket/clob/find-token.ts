import type { OutcomeIndex, PolymarketMarket } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";

/** A token of a market: the market and which of its outcomes the token is. */
interface Token {
  market: PolymarketMarket;
  outcome: OutcomeIndex;
}

/**
 * The token, when its book can be asked for: a closed market has none. A condition id, slug or Gamma id is no token's
 * either.
 */
export function findOpenToken(world: World, tokenId: string): Token | undefined {
  const market = world.polymarket.market(tokenId);
  if (market === undefined || market.closed) return undefined;
  const outcome = market.token_ids.indexOf(tokenId);
  return outcome === 0 || outcome === 1 ? { market, outcome } : undefined;
}
