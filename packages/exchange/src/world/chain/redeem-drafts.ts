import { ADDRESSES } from "./addresses.ts";
import type { Hex } from "../contract.ts";
import type { RedeemHappening } from "../operation-contract.ts";
import { draft, type LogDraft, moveMany, moveOne } from "./log-draft.ts";
import { collateralAdapterOf } from "./set-drafts.ts";

const ZERO: Hex = `0x${"0".repeat(64)}`;

/**
 * Logs of a redemption. ConditionalTokens burns the redeemer's tokens and reports only the payout; the burnt amounts
 * are in the transfers only. The NegRiskAdapter reports the amounts; a collateral adapter redeems for its caller
 * without naming it.
 */
export function redeemDrafts(happening: RedeemHappening): LogDraft[] {
  const { market, wallet, amounts_micro: amounts, is_through_adapter } = happening;
  const asker = is_through_adapter ? collateralAdapterOf(market) : wallet;
  const hand = (operator: Hex, from: Hex, to: Hex): LogDraft => moveMany(operator, from, to, market.token_ids, amounts);
  const drafts = is_through_adapter ? [hand(asker, wallet, asker)] : [];
  const payout = BigInt(happening.payout_micro);
  if (!market.neg_risk) return [...drafts, ...burns(happening, asker), published(happening, asker, true)];
  const adapter = ADDRESSES.neg_risk_adapter;
  const args = () => ({
    redeemer: asker,
    conditionId: market.condition_id,
    amounts: amounts.map(BigInt),
    payout,
  });
  drafts.push(hand(adapter, asker, adapter), ...burns(happening, adapter), published(happening, adapter, false));
  drafts.push(draft("neg_risk_adapter", "PayoutRedemption", args, true));
  return drafts;
}

/** One burn per token with a balance. */
function burns({ market, amounts_micro }: RedeemHappening, redeemer: Hex): LogDraft[] {
  return market.token_ids.flatMap((token, index) => {
    const micro = amounts_micro[index] ?? 0;
    return micro === 0 ? [] : [moveOne(redeemer, redeemer, ADDRESSES.zero, token, micro)];
  });
}

function published({ market, payout_micro }: RedeemHappening, redeemer: Hex, isReporting: boolean): LogDraft {
  const args = () => ({
    redeemer,
    collateralToken: market.neg_risk ? ADDRESSES.wrapped_collateral : ADDRESSES.usdc_e,
    parentCollectionId: ZERO,
    conditionId: market.condition_id,
    indexSets: [1n, 2n],
    payout: BigInt(payout_micro),
  });
  return draft("ctf", "PayoutRedemption", args, isReporting);
}
