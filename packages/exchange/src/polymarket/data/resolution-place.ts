import type { ChainLog } from "../../world/chain-contract.ts";
import type { PolymarketMarket } from "../../world/contract.ts";
import type { World } from "../../world/world.ts";

/** Blocks after the resolution in which its log is looked for. */
const reach = 32;

/** The ConditionResolution log of a market, or undefined while there is none. */
export function resolutionPlace(world: World, market: PolymarketMarket): ChainLog | undefined {
  if (market.resolved_ms === null) return undefined;
  const from = Math.max(world.chain.first_block, world.chain.blockAt(market.resolved_ms) - 2);
  const to = Math.min(world.chain.head(), from + reach);
  if (to < from) return undefined;
  return world.chain
    .logs(from, to, (log) => log.event === "ConditionResolution")
    .find((log) => log.args["conditionId"] === market.condition_id);
}
