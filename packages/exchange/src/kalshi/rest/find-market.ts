import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import type { KalshiContext } from "../context.ts";
import { KalshiError } from "../kalshi-error.ts";
import { tiers } from "../tiers.ts";

/** Market of the asked tier, or a 404: a market that settled before the cutoff is only in the historical one. */
export function findMarket(context: KalshiContext, ticker: string, tier: "live" | "historical"): KalshiMarket {
  const market = context.world.kalshi.market(ticker);
  const found =
    market && (tier === "live" ? tiers(context).liveMarket(market) : tiers(context).historicalMarket(market));
  if (!market || !found) throw new KalshiError(404, "not_found", "not found");
  return market;
}
