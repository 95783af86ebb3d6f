import { flag, int, json, num, text, type Column } from "../../definition/column.ts";
import { figure } from "./figure-fields.ts";

const TIMED =
  "Timed entries are buys, hour by hour, in markets resolved in the window, made before the closing price's window ended (at the event's start if the market was not resolved before, else a day before the deadline or the resolution, whichever came first), at 0.05 to 0.95.";
const CATEGORY = {
  type: "object",
  properties: {
    roi: { type: ["number", "null"], description: "Percent." },
    category: { type: "string" },
    win_rate: { type: ["number", "null"], description: "0 to 1." },
    total_pnl: { type: "number" },
    total_trades: { type: "integer" },
    losing_trades: { type: "integer" },
    total_invested: { type: "number" },
    winning_trades: { type: "integer" },
    total_buy_trades: { type: "integer" },
    total_sell_trades: { type: "integer" },
  },
};
/** Timing, similarity to other wallets, flags and categories. */
export const patternFields: Readonly<Record<string, Column>> = {
  perfect_timing_score: figure(
    `Share of all moves between the prices paid and the close that went the wallet's way. ${TIMED} Null under five tokens.`,
    "0 to 1",
  ),
  perfect_timing_flag: flag().describe("perfect_timing_score > 0.8."),
  timing_hit_rate: figure(
    `Share of tokens whose close was above the prices paid. ${TIMED} Null without one.`,
    "0 to 1",
  ),
  timing_z_score: figure("(hits − n/2) / √(n/4) over these n tokens; null under ten."),
  suspicious_timing_trades: int().describe(
    "Timed entries of tokens whose close was at least 0.20 above the prices paid.",
  ),
  total_timed_trades: int().describe(TIMED),
  timing_anomaly_flag: flag().describe("timing_z_score > 2.7 and timing_hit_rate > 0.7."),
  sybil_risk_score: num("0 to 100").describe(
    "How closely its entries match other wallets' in second, side and size (see pattern sybil); 0 if nothing was found.",
  ),
  similar_wallets_count: int().describe("Other wallets in its cluster."),
  sybil_risk_flag: flag().describe("sybil_risk_score > 70."),
  suspicious_win_rate_flag: flag().describe("win_rate > 0.85 and win_rate_z_score > 2.7."),
  position_size_volatility_flag: flag().describe("coefficient_of_variation > 1.5."),
  single_market_dependence_flag: flag().describe("market_concentration_ratio > 0.8 and markets_traded ≥ 3."),
  combined_risk_score: int().describe(
    "10 × position_size_volatility + 10 × single_market_dependence + 10 × perfect_timing + 20 × sybil_risk + 25 × suspicious_win_rate + 25 × timing_anomaly.",
  ),
  risk_level: text().describe("By combined_risk_score: LOW to 15, MEDIUM to 40, HIGH to 65, CRITICAL from 70."),
  flagged_metrics: text().describe('Raised flags, e.g. "{suspicious_win_rate,timing_anomaly}".'),
  performance_by_category: json({ type: "array", items: CATEGORY }).describe(
    "Each category and all above it (“Sports”, “Sports / Basketball”, …), by total_pnl, best first; markets without one are “Other”. roi is uncapped; roi and win_rate are null where undefined.",
  ),
};
