/** Share of the payout's surprise (payout less the later price) that is taken out of an edge. */
export const LUCK_REMOVED = 0.9;
/** Weight of an entry whose market did not trade in the day after it: its edge varies about seven times as much. */
export const WITHOUT_LATER_WEIGHT = 0.15;

/** Sums of wallet_entries over an event. */
type EntrySums = {
  readonly entries: number;
  readonly edgeSum: number;
  readonly costSum: number;
  readonly varianceSum: number;
  readonly laterEntries: number;
  readonly laterSum: number;
  readonly laterEdgeSum: number;
  readonly laterCostSum: number;
  readonly laterVarianceSum: number;
};

/**
 * The entries' edges with luck taken out. For a market whose price is fair a day later, payout less that price (m) is
 * pure luck, so payout − price − 0.9·(payout − m) estimates the same edge as payout − price with a fraction of its
 * variance. One tick and the fee are charged. Entries without a later price count as they are, with a small weight.
 */
export function skillSums(sums: EntrySums): { skillSum: number; weight: number; spread: number } {
  const later = (1 - LUCK_REMOVED) * sums.laterEdgeSum + LUCK_REMOVED * sums.laterSum - sums.laterCostSum;
  const other = sums.edgeSum - sums.laterEdgeSum - (sums.costSum - sums.laterCostSum);
  return {
    skillSum: later + WITHOUT_LATER_WEIGHT * other,
    weight: sums.laterEntries + WITHOUT_LATER_WEIGHT * (sums.entries - sums.laterEntries),
    spread: sums.laterVarianceSum + WITHOUT_LATER_WEIGHT * (sums.varianceSum - sums.laterVarianceSum),
  };
}
