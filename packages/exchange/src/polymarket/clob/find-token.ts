import type { OutcomeIndex, PolymarketMarket } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";

/** A token: its market and which of the outcomes it is. */
interface Token {
  market: PolymarketMarket;
  outcome: OutcomeIndex;
}

/**
 * Returns the token if its book can be requested: a closed market has none. A condition id, slug or Gamma id is not
 * accepted.
 */
export function findOpenToken(world: World, tokenId: string): Token | undefined {
  const market = world.polymarket.market(tokenId);
  if (market === undefined || market.closed) return undefined;
  const outcome = market.token_ids.indexOf(tokenId);
  return outcome === 0 || outcome === 1 ? { market, outcome } : undefined;
}
