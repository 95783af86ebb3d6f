import type { ScoreEvent } from "./score-event.ts";
import { skillSums } from "./skill-sums.ts";

/** Columns of wallet_entries that are summed up over an event. */
export const SUMMED = [
  "entries",
  "clv_entries",
  "later_entries",
  "edge_sum",
  "cost_sum",
  "variance_sum",
  "clv_sum",
  "later_sum",
  "later_edge_sum",
  "later_cost_sum",
  "later_variance_sum",
  "bought_usd",
  "shares",
] as const;
/** So many of them, the first ones, are counts; the others are decimals. */
export const COUNTS = 3;

/** What a wallet did in an event of which these are the sums, in the order of SUMMED. */
export function toEvent(sums: readonly number[], category: string, profits: readonly number[]): ScoreEvent {
  const [entries = 0, clvEntries = 0, laterEntries = 0, edgeSum = 0, costSum = 0, varianceSum = 0, clvSum = 0] = sums;
  const [laterSum = 0, laterEdgeSum = 0, laterCostSum = 0, laterVarianceSum = 0] = sums.slice(7);
  const later = { laterEntries, laterSum, laterEdgeSum, laterCostSum, laterVarianceSum };
  return {
    category,
    entries,
    edgeSum,
    varianceSum,
    ...skillSums({ entries, edgeSum, costSum, varianceSum, ...later }),
    clvEntries,
    clvSum,
    profits,
  };
}

const NOTHING = { entries: 0, edgeSum: 0, varianceSum: 0, skillSum: 0, weight: 0, spread: 0, clvEntries: 0, clvSum: 0 };

/** An event in which a wallet entered nothing that counts. */
export const withoutEntries = (category: string, profits: readonly number[]): ScoreEvent => ({
  category,
  ...NOTHING,
  profits,
});
