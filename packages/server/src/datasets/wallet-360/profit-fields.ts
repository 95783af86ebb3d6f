import { id, int, iso, num, type Column } from "../../definition/column.ts";
import { figure } from "./figure.ts";

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
