import type { Sql } from "../../definition/sql.ts";
import { sumsSql } from "./sums-sql.ts";
import type { WalletWindow } from "./wallet-window.ts";
import { withColumns, type Layer } from "./with-columns.ts";

/** SQL over the columns of sumsSql; Quotients are exact to twelve places. */
const PLAIN: Layer = {
  win_rate: "toDecimal128(wins, 12) / nullIf(wins + losses, 0)",
  roi: "toDecimal128(pnl_usd, 12) / nullIf(invested_usd, 0)",
  avg_trade_usd: "toDecimal128(invested_usd, 12) / nullIf(trades, 0)",
  avg_pnl_usd: "toDecimal128(pnl_usd, 12) / nullIf(trades, 0)",
};

/** Of a daily series: its returns, and their sums as whole numbers, so that sums of parts are the sum of all. */
export const RETURNS: readonly Layer[] = [
  { returns: "arrayMap(one -> one.2 / one.3, arrayFilter(one -> one.3 >= 1, daily))" },
  {
    signs: "arrayMap(one -> one.4, arrayFilter(one -> one.3 >= 1, daily))",
    parts: "arrayMap(one -> toInt128(round(greatest(least(one, 1e5), -1e5) * 1e12)), returns)",
  },
  {
    return_days: "arraySum(signs)",
    return_sum: "arraySum((sign, one) -> sign * one, signs, parts)",
    return_squares: "arraySum((sign, one) -> sign * one * one, signs, parts)",
  },
];

/**
 * A wallet's figures over a window: a subquery with one row a wallet that has an event in it.
 * Columns: wallet, first_day, span_days; counts buys, sells, trades, maker_fills, events, wins, losses, days_active;
 * exact sums invested_usd, sold_usd, maker_usd, fee_usd, pnl_usd (realised by average cost less fees), pnl_fifo_usd;
 * roi (fraction), win_rate (0–1), avg_trade_usd, avg_pnl_usd; null where undefined.
 */
export const walletSumsSql = (window: WalletWindow): Sql => withColumns(sumsSql(window), PLAIN);
