import type { ScoreEvent } from "./measures.ts";

/** Share of the payout's surprise (payout less the later price) that is removed from an edge. */
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
 * The entries' edges with luck removed. For a market whose price is fair a day later, payout less that price (m) is
 * pure luck, so payout − price − 0.9·(payout − m) estimates the same edge as payout − price with a fraction of its
 * variance. One tick and the fee are charged. Entries without a later price count unchanged, with a small weight.
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

/** Columns of wallet_entries that are summed over an event. */
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
/** The first columns, this many, are counts; the others are decimals. */
export const COUNTS = 3;
type Summed = (typeof SUMMED)[number];
export const PLACE = Object.fromEntries(SUMMED.map((column, place) => [column, place])) as Record<Summed, number>;

/** A wallet's activity in an event, from sums that begin at `at`, in the order of SUMMED. */
export function toEvent(sums: ArrayLike<number>, at: number, category: string, profits: readonly number[]): ScoreEvent {
  const of = (column: Summed): number => sums[at + PLACE[column]] ?? 0;
  const [entries, edgeSum, varianceSum] = [of("entries"), of("edge_sum"), of("variance_sum")];
  const { skillSum, weight, spread } = skillSums({
    entries,
    edgeSum,
    costSum: of("cost_sum"),
    varianceSum,
    laterEntries: of("later_entries"),
    laterSum: of("later_sum"),
    laterEdgeSum: of("later_edge_sum"),
    laterCostSum: of("later_cost_sum"),
    laterVarianceSum: of("later_variance_sum"),
  });
  const [clvEntries, clvSum] = [of("clv_entries"), of("clv_sum")];
  return { category, entries, edgeSum, varianceSum, skillSum, weight, spread, clvEntries, clvSum, profits };
}

const NOTHING = { entries: 0, edgeSum: 0, varianceSum: 0, skillSum: 0, weight: 0, spread: 0, clvEntries: 0, clvSum: 0 };

/** An event without entries that count. */
export const withoutEntries = (category: string, profits: readonly number[]): ScoreEvent => ({
  category,
  ...NOTHING,
  profits,
});
