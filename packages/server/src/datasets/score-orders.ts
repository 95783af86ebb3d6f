import type { ReadKey } from "../definition/served-keyed.ts";
import { byField } from "../definition/sorting.ts";
import type { Bound } from "../definition/sql.ts";

/** Sorts last in a descending order. */
export const LEAST = "-1000000000";
/** The place of a wallet outside the pool. */
export const NO_PLACE = 4_294_967_295;

const byPlace: readonly ReadKey[] = [
  { value: (row) => Number(row["leaderboard_rank"] ?? NO_PLACE) },
  byField("wallet"),
];
/** A key as text, whatever the field's type. */
const descending = (field: string): ReadKey => ({ value: (row) => String(row[field] ?? LEAST) });

/** Displayed figures that scores are sorted by before their places, by value of sort_by. */
const SORTS: Readonly<Record<string, readonly ReadKey[]>> = {
  h_score: [],
  roi: [descending("roi_pct_15d")],
  pnl: [descending("total_pnl_15d")],
  win_rate: [descending("win_rate_pct_15d")],
  trades: [descending("total_trades_15d")],
  sharpe: [descending("sharpe_ratio_15d")],
};

export const SORT_WORDS = Object.keys(SORTS);

/** The effective value of sort_by. */
export const sortOf = (requested: Bound | undefined): string => String(requested?.value ?? "h_score");

export const scoreOrder = (requested: Bound | undefined): readonly ReadKey[] => [
  ...(SORTS[sortOf(requested)] ?? []),
  ...byPlace,
];
