import type { Hex, MatchHappening } from "../contract.ts";
import { REBATE_RATE_E4 } from "./rebate-rate.ts";

/** Shares are whole multiples of this: by it, products stay exact. */
const SIZE_STEP = 10_000;

/** Rebates of some matches: the takers' fees by whose resting shares they were earned, times the rebate rate. */
export function makerRebates(matches: Iterable<MatchHappening>): Map<Hex, number> {
  const earned = new Map<Hex, number>();
  for (const { taker, makers, is_dropped } of matches) {
    if (is_dropped === true || taker.fee_micro === 0) continue;
    const filled = taker.shares_micro / SIZE_STEP;
    for (const { wallet, shares_micro } of makers) {
      const part = Math.floor((taker.fee_micro * (shares_micro / SIZE_STEP)) / filled);
      earned.set(wallet, (earned.get(wallet) ?? 0) + part);
    }
  }
  const rebates = [...earned].map(([wallet, fees]): [Hex, number] => [
    wallet,
    Math.floor((fees * REBATE_RATE_E4) / 10_000),
  ]);
  return new Map(rebates);
}
