import type { OrderKey } from "../definition/dataset.ts";
import { hexOf, storedAs } from "../definition/filter.ts";
import { orderKey } from "../definition/sorting.ts";
import { sql, type Bound, type Sql } from "../definition/sql.ts";

/** Comes last in a descending order. */
export const LEAST = "-1000000000";
/** Of a wallet outside of the pool. */
export const NO_PLACE = 4_294_967_295;

export const percent = (fraction: Sql): Sql => sql`round(toDecimal128(${fraction}, 12) * 100, 1)`;

const descending = (shown: Sql, field: string): OrderKey => ({
  by: sql`coalesce(CAST(${shown}, 'Nullable(Decimal64(6))'), toDecimal64('-1000000000', 6))`,
  direction: "desc",
  stored: storedAs.decimal,
  value: (row) => String(row[field] ?? LEAST),
});
const byPlace: OrderKey[] = [
  {
    by: sql`coalesce(place, 4294967295)`,
    direction: "asc",
    stored: storedAs.integer,
    value: (row) => Number(row["leaderboard_rank"] ?? NO_PLACE),
  },
  orderKey(hexOf(sql`wallet`), "asc", "text", "wallet"),
];

/** What scores are ordered by before their places, as it is shown, by the words of sort_by. */
const SORTS: Readonly<Record<string, readonly OrderKey[]>> = {
  h_score: [],
  roi: [descending(percent(sql`roi`), "roi_pct_15d")],
  pnl: [descending(sql`round(pnl_usd, 2)`, "total_pnl_15d")],
  win_rate: [descending(percent(sql`win_rate`), "win_rate_pct_15d")],
  trades: [descending(sql`trades`, "total_trades_15d")],
  sharpe: [descending(sql`round(toDecimal128(sharpe, 12), 2)`, "sharpe_ratio_15d")],
};

export const SORT_WORDS = Object.keys(SORTS);

/** The word that rows are sorted by. */
export const sortOf = (asked: Bound | undefined): string => String(asked?.value ?? "h_score");

export const scoreOrder = (asked: Bound | undefined): readonly OrderKey[] => [
  ...(SORTS[sortOf(asked)] ?? []),
  ...byPlace,
];
