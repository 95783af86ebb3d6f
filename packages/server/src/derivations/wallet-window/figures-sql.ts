import type { Sql } from "../../definition/sql.ts";
import { SHARPE_PROBABILITY } from "./sharpe-probability-sql.ts";
import { sumsSql, type Whose } from "./sums-sql.ts";
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

const OF_DAYS: readonly Layer[] = [
  {
    /** (highest point of the summed profit, the sum, the deepest fall from a highest point). */
    fall: "arrayFold((at, one) -> (greatest(at.1, at.2 + one.2), at.2 + one.2, greatest(at.3, greatest(at.1, at.2 + one.2) - at.2 - one.2)), daily, (0., 0., 0.))",
    half_days: "intDiv(span_days, 2)",
  },
  {
    early_pnl: "arraySum(one -> if(one.1 < first_day + half_days, one.2, 0), daily)",
    late_pnl: "arraySum(one -> if(one.1 >= first_day + span_days - half_days, one.2, 0), daily)",
    moved:
      "arraySum(one -> multiIf(one.1 < first_day + half_days, abs(one.2), one.1 >= first_day + span_days - half_days, abs(one.2), 0), daily)",
  },
  {
    max_drawdown_usd: "fall.3",
    trend:
      "multiIf(late_pnl - early_pnl > 0.1 * moved, 'improving', early_pnl - late_pnl > 0.1 * moved, 'declining', 'stable')",
  },
];

/** Both are of three layers and do not see each other; each subquery more costs the engine time to plan. */
const OF_DAYS_AND_RETURNS = OF_DAYS.map((layer, at) => Object.assign({}, SHARPE_PROBABILITY[at], layer));

/**
 * The one definition of a wallet's figures over a window: a subquery with one row a wallet that has an event in it.
 * Columns: wallet, first_day, span_days; counts buys, sells, trades, maker_fills, events, wins, losses, days_active;
 * exact sums invested_usd, sold_usd, maker_usd, fee_usd, pnl_usd (realised by average cost less fees), pnl_fifo_usd;
 * roi (fraction), win_rate (0–1), avg_trade_usd, avg_pnl_usd, sharpe, sharpe_probability, max_drawdown_usd, trend; null where
 * undefined; daily: Array((day, profit marked to market, capital, 1)), oldest first.
 * Of others than `active` wallets see sumsSql.
 */
export const walletFiguresSql = (window: WalletWindow, whose: Whose = "active"): Sql =>
  withColumns(sumsSql(window, { whose, hasDays: true }), PLAIN, ...RETURNS, ...SHARPE, ...OF_DAYS_AND_RETURNS);

/** The same of wallets with an event in the window, without max_drawdown_usd and trend. */
export const walletReturnsSql = (window: WalletWindow): Sql =>
  withColumns(sumsSql(window, { whose: "active", hasDays: true }), PLAIN, ...RETURNS, ...SHARPE, ...SHARPE_PROBABILITY);

/** The same without what their daily series tells: no daily, sharpe and sharpe_probability. */
export const walletSumsSql = (window: WalletWindow): Sql =>
  withColumns(sumsSql(window, { whose: "active", hasDays: false }), PLAIN);
