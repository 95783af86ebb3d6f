import type { Hex } from "../contract.ts";
import type { PolymarketState } from "./polymarket-state.ts";

const HOUR = 3_600_000;
/** What a market gives for an hour of quotes. Up/down windows give nothing. */
const POOL_MICRO_AN_HOUR = 50_000;

/** Rewards of a span: each market's pool goes to those who quote it, two thirds to the first where there are two. */
export function liquidityRewards(
  state: Pick<PolymarketState, "markets" | "wallets">,
  from: number,
  to: number,
): Map<Hex, number> {
  const earned = new Map<Hex, number>();
  for (const { core, created_ms, closed_ms } of state.markets) {
    const live = Math.min(closed_ms ?? to, to) - Math.max(created_ms, from);
    if (live <= 0 || core.plan.asset !== null) continue;
    const pool = Math.floor((POOL_MICRO_AN_HOUR * live) / HOUR);
    const first = core.makers.length > 1 ? Math.floor((pool * 2) / 3) : pool;
    for (const [place, part] of [first, pool - first].entries()) {
      const wallet = state.wallets[core.makers[place] ?? -1]?.address;
      if (wallet !== undefined) earned.set(wallet, (earned.get(wallet) ?? 0) + part);
    }
  }
  return earned;
}
