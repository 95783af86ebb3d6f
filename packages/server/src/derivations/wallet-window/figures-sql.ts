import type { Sql } from "../../definition/sql.ts";
import { SHARPE_PROBABILITY } from "./sharpe-probability-sql.ts";
import { sumsSql } from "./sums-sql.ts";
import type { WalletWindow } from "./wallet-window.ts";
import { withColumns, type Layer } from "./with-columns.ts";

/** SQL over the columns of sumsSql; Quotients are exact to twelve places. */
export const PLAIN: Layer = {
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

/** SQL over return_days, return_sum and return_squares, exact up to the root. */
export const SHARPE: readonly Layer[] = [
  {
    mean_return: "if(return_days = 0, 0, toFloat64(return_sum) / 1e12 / return_days)",
    return_sd:
      "if(return_days < 2, 0, sqrt(toFloat64(toInt256(return_days) * return_squares - toInt256(return_sum) * return_sum) / 1e24 / return_days / (return_days - 1)))",
  },
  { sharpe: "if(return_sd > 1e-12, mean_return / return_sd * sqrt(365), NULL)" },
];

/**
 * A wallet's figures over a window: a subquery with one row a wallet that has an event in it.
 * Columns: wallet, first_day, span_days; counts buys, sells, trades, maker_fills, events, wins, losses, days_active;
 * exact sums invested_usd, sold_usd, maker_usd, fee_usd, pnl_usd (realised by average cost less fees), pnl_fifo_usd;
 * roi (fraction), win_rate (0–1), avg_trade_usd, avg_pnl_usd, sharpe, sharpe_probability; null where undefined; daily:
 * Array((day, profit marked to market, capital, 1)), oldest first.
 */
export const walletReturnsSql = (window: WalletWindow): Sql =>
  withColumns(sumsSql(window, true), PLAIN, ...RETURNS, ...SHARPE, ...SHARPE_PROBABILITY);

/** The same without what their daily series tells: no daily, sharpe and sharpe_probability. */
export const walletSumsSql = (window: WalletWindow): Sql => withColumns(sumsSql(window, false), PLAIN);
