import type { Crowd } from "../core/crowd.ts";
import type { PolymarketState } from "./polymarket-state.ts";
import type { Purses } from "../core/purses.ts";
import type { WalletTruth } from "../world.ts";

/** Current ground truth of each wallet, by wallet number. */
export function walletTruths(state: PolymarketState, crowd: Crowd, purses: Purses): WalletTruth[] {
  const held = new Float64Array(crowd.count);
  for (const { core } of state.markets) {
    const p = core.payout === null ? core.latent.p(core.index) : core.payout[0] / (core.payout[0] + core.payout[1]);
    for (const [wallet, position] of core.positions) {
      held[wallet] = (held[wallet] as number) + (position.yes * p + position.no * (1 - p)) * 10_000;
    }
  }
  return state.wallets.map((wallet, i) => ({
    address: wallet.address,
    style: crowd.styles[i] ?? "noise",
    skill: crowd.skills[i] as number,
    ring: (crowd.rings[i] as number) < 0 ? null : (crowd.rings[i] as number),
    bankroll_micro: crowd.bankrolls[i] as number,
    cash_pnl_micro: purses.profit(i),
    marked_pnl_micro: Math.round(purses.profit(i) + (held[i] as number)),
  }));
}
