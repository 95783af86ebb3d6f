import { ADDRESSES } from "./addresses.ts";
import type { MarketCreatedHappening, MarketResolvedHappening } from "../contract.ts";
import { draft, type LogDraft } from "./log-draft.ts";

/** A condition is prepared; the first question of a neg-risk event prepares its market as well. */
export function creationDrafts({ market }: MarketCreatedHappening): LogDraft[] {
  const prepared = draft("ctf", "ConditionPreparation", () => ({
    conditionId: market.condition_id,
    oracle: market.oracle,
    questionId: market.question_id,
    outcomeSlotCount: 2n,
  }));
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [prepared];
  const operator = ADDRESSES.neg_risk_operator;
  const drafts: LogDraft[] = [];
  if (market.question_index === 0) {
    const args = () => ({ marketId, oracle: operator, feeBips: 0n, data: "0x" as const });
    drafts.push(draft("neg_risk_adapter", "MarketPrepared", args));
  }
  const index = BigInt(market.question_index);
  const args = () => ({ marketId, questionId: market.question_id, index, data: "0x" as const });
  drafts.push(prepared, draft("neg_risk_adapter", "QuestionPrepared", args));
  return drafts;
}

/** A condition gets its payouts; of a neg-risk question its outcome is reported as well. */
export function resolutionDrafts({ market, payout_numerators }: MarketResolvedHappening): LogDraft[] {
  const args = () => ({
    conditionId: market.condition_id,
    oracle: market.oracle,
    questionId: market.question_id,
    outcomeSlotCount: 2n,
    payoutNumerators: payout_numerators.map(BigInt),
  });
  const resolved = draft("ctf", "ConditionResolution", args, true);
  const marketId = market.event.neg_risk_market_id;
  if (marketId === null) return [resolved];
  const reported = () => ({ marketId, questionId: market.question_id, outcome: payout_numerators[0] === 1 });
  return [resolved, draft("neg_risk_adapter", "OutcomeReported", reported)];
}
