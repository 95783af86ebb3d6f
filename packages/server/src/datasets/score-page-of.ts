import { asOfDay } from "../definition/as-of-day.ts";
import { given, sql, type Bound } from "../definition/sql.ts";
import type { Page } from "../derivations/wallet-score/score-page-sql.ts";
import { scoreOrder, sortOf } from "./score-orders.ts";

/** What the parameters of 584 ask of a page of scores. */
export function scorePageOf(p: Readonly<Partial<Record<string, Bound>>>, now: Bound): Page {
  return {
    asOf: asOfDay(p["as_of"], now),
    category: p["category"],
    weights: p["weights"],
    wallets: p["wallet"],
    where: [
      given(p["min_win_rate_15d"], (least) => sql`win_rate >= ${least}`),
      given(p["max_win_rate_15d"], (most) => sql`win_rate <= ${most}`),
      given(p["min_roi_15d"], (least) => sql`roi * 100 > ${least}`),
      given(p["min_total_trades_15d"], (least) => sql`trades >= ${least}`),
      given(p["max_total_trades_15d"], (most) => sql`trades <= ${most}`),
      given(p["min_pnl_15d"], (least) => sql`pnl_usd > ${least}`),
    ],
    order: scoreOrder(p["sort_by"]),
    isDeep: sortOf(p["sort_by"]) === "sharpe",
  };
}
