import { num, type Column, id, int, iso, text } from "../../definition/column.ts";

/** A figure with six decimals, null where undefined. */
export const figure = (about: string, unit?: string): Column => num(unit).maybe(about);

const usd = () => num("USD");

/** Window, trades and profit. */
export const profitFields: Readonly<Record<string, Column>> = {
  proxy_wallet: id().describe("Wallet, lower case."),
  date: iso().describe("Last day of the window."),
  date_range_start: iso().describe("First day of the window; for all, the wallet's first day."),
  date_range_end: iso().describe("Last day of the window, inclusive."),
  calculation_window_days: int().describe("Days of the window; for all, those since the wallet's first."),
  last_active: iso().maybe("Last fill by the window's end; null without one."),
  total_trades: int().describe("total_buy_trades + total_sell_trades."),
  total_buy_trades: int().describe("Buy fills."),
  total_sell_trades: int().describe("Sell fills."),
  buy_trade_ratio: figure("total_buy_trades / total_trades; null without a trade.", "0 to 1"),
  sell_trade_ratio: figure("total_sell_trades / total_trades; null without a trade.", "0 to 1"),
  total_invested: usd().describe("Notional of buy fills, excluding fees."),
  total_pnl: usd().describe(
    "Realised: Σ shares sold × (price − average cost) − fees. A split buys both sides at 0.50, a merge sells both at 0.50, a redemption sells at the payout; shares held at a resolution win or lose that day.",
  ),
  roi: figure("min(1000, total_pnl / total_invested × 100); null if nothing was bought.", "percent"),
  winning_trades: int().describe("Positions (wallet × condition) that ended with a profit after fees."),
  losing_trades: int().describe("Positions that ended with a loss."),
  win_rate: figure("winning_trades / (winning_trades + losing_trades); null if no position ended.", "0 to 1"),
  win_rate_z_score: num().describe(
    "(win_rate − 0.567) / √(0.567 × 0.433 / n) with n = winning_trades + losing_trades; 0 if n < 10.",
  ),
  statistical_confidence: figure("1 − 1 / √total_trades; null without a trade.", "0 to 1"),
};

/** Risk, from daily profit marked to market. */
export const riskFields: Readonly<Record<string, Column>> = {
  sharpe_ratio: figure(
    "mean(r) / sd(r) × √365. r = daily profit / capital; daily profit = realised − fees + (value − cost) of shares held at the day's end − the same of the day before, at the last mids; capital = value held before + the larger of purchases and net cash paid that day; over days with capital of at least $1. Null under two such days.",
  ),
  sortino_ratio: figure("mean(r) / √mean(min(r, 0)²) × √365, at most 50; null under two days or without a losing one."),
  calmar_ratio: figure(
    "annualized_return / (largest drop in USD / largest capital of a day), at most 100; null without a drop.",
  ),
  gain_to_pain_ratio: figure("Σ daily profit / Σ |daily losses|, at most 100; null without a losing day."),
  profit_factor: num().describe(
    "Σ profit of winning positions / |Σ of losing ones|, of those that ended; 0 without a losing one.",
  ),
  annualized_return: figure("mean(r) × 365; null under seven days with capital.", "fraction"),
  max_drawdown: figure(
    "Largest drop of cumulative daily profit below its peak / that peak, over drops from a peak above 0; 0 without a drop, null if every drop was from 0.",
    "fraction",
  ),
  drawdown_frequency: figure(
    "Share of the window's days that ended below an earlier high; null without a marked day.",
    "0 to 1",
  ),
  recovery_time_avg: figure("Mean length of the drops that were recovered; null without one.", "days"),
  ulcer_index: figure("√mean(d²) with d = drop / peak, at most 1000; null if max_drawdown is.", "fraction"),
  curve_volatility: figure("sd(r), at most 1000; null under two days with capital.", "fraction"),
  equity_curve_pattern: text().maybe(
    "hockey-stick: ends above 0 and the last fifth of the window earned over half of it; steady: R² of cumulative profit on time ≥ 0.8; else volatile. Null under three marked days.",
  ),
  performance_trend: text().describe(
    "With D = profit of the window's later half − of its earlier half (marked; a middle day is omitted) and A = Σ |daily profit| of both: improving if D > 0.1 A, declining if D < −0.1 A, else stable.",
  ),
  days_active: int().describe("Days with a fill."),
  pnl_last_30day: num("USD").describe("total_pnl of the 30 days up to the window's end."),
  win_rate_last_30day: figure("win_rate of the 30 days up to the window's end; null if no position ended.", "0 to 1"),
};
