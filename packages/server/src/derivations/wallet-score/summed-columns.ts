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
type Summed = (typeof SUMMED)[number];
export const PLACE = Object.fromEntries(SUMMED.map((column, place) => [column, place])) as Record<Summed, number>;

/** What a wallet did in an event of which the sums begin at a place, in the order of SUMMED. */
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

/** An event in which a wallet entered nothing that counts. */
export const withoutEntries = (category: string, profits: readonly number[]): ScoreEvent => ({
  category,
  ...NOTHING,
  profits,
});
