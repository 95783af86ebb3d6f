import { id, int, iso, num } from "../../definition/column.ts";
import { field, figure, type Field } from "./field.ts";

const usd = () => num("USD");

/** Window, trades and profit. */
export const profitFields: Readonly<Record<string, Field>> = {
  proxy_wallet: field(id().describe("Wallet, lower case."), "concat('0x', lower(hex(wallet)))"),
  date: field(iso().describe("Last day of the window."), "toDateTime(last_day, 'UTC')"),
  date_range_start: field(
    iso().describe("First day of the window; for all, the wallet's first day."),
    "toDateTime(first_day, 'UTC')",
  ),
  date_range_end: field(iso().describe("Last day of the window, inclusive."), "toDateTime(last_day, 'UTC')"),
  calculation_window_days: field(
    int().describe("Days of the window; for all, those since the wallet's first."),
    "span_days",
  ),
  last_active: field(iso().maybe("Last fill by the window's end; null without one."), "last_trade"),
  total_trades: field(int().describe("total_buy_trades + total_sell_trades."), "trades"),
  total_buy_trades: field(int().describe("Fills bought."), "buys"),
  total_sell_trades: field(int().describe("Fills sold."), "sells"),
  buy_trade_ratio: figure(
    "total_buy_trades / total_trades; null without a trade.",
    "buys / nullIf(trades, 0)",
    "0 to 1",
  ),
  sell_trade_ratio: figure(
    "total_sell_trades / total_trades; null without a trade.",
    "sells / nullIf(trades, 0)",
    "0 to 1",
  ),
  total_invested: field(usd().describe("Notional of the fills that bought, fees apart."), "invested_usd"),
  total_pnl: field(
    usd().describe(
      "Realised: Σ shares sold × (price − average cost) − fees. A split buys both sides at 0.50, a merge sells both at 0.50, a redemption sells at the payout; what is held at a resolution is won or lost that day.",
    ),
    "pnl_usd",
  ),
  roi: figure(
    "min(1000, total_pnl / total_invested × 100); null if nothing was bought.",
    "if(roi > 10, 1000, roi * 100)",
    "percent",
  ),
  winning_trades: field(
    int().describe("Positions (wallet × condition) that ended with a profit, fees taken off."),
    "wins",
  ),
  losing_trades: field(int().describe("Positions that ended with a loss."), "losses"),
  win_rate: figure(
    "winning_trades / (winning_trades + losing_trades); null if no position ended.",
    "win_rate",
    "0 to 1",
  ),
  win_rate_z_score: field(
    num().describe("(win_rate − 0.567) / √(0.567 × 0.433 / n) with n = winning_trades + losing_trades; 0 if n < 10."),
    "if(wins + losses < 10, 0, round((toFloat64(win_rate) - 0.567) / sqrt(0.567 * 0.433 / (wins + losses)), 6))",
  ),
  statistical_confidence: figure(
    "1 − 1 / √total_trades; null without a trade.",
    "1 - 1 / sqrt(nullIf(trades, 0))",
    "0 to 1",
  ),
};
