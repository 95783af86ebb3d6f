import type { Resolution } from "./ledger-row.ts";
import type { WalletState } from "./wallet-state.ts";

/** A position is lost or won when its condition is resolved, whether or not anybody redeems it. */
export function applyResolution(state: WalletState, condition: string, resolution: Resolution): void {
  const { at, payouts, isFromCatalogue } = resolution;
  for (const holding of state.tokensOf(condition)) {
    const payout = payouts.get(holding.token);
    if (payout === undefined || holding.payout !== undefined || holding.shares === 0n) continue;
    const { gain, gainFifo } = holding.settle(payout);
    if (isFromCatalogue) state.isEstimated = true;
    const day = state.dayOf(holding, at);
    day.otherEvents += 1;
    day.realized += gain;
    day.realizedFifo += gainFifo;
    state.gain(holding, gain);
  }
  state.endIfOver(condition, at, true);
}
