import { flag, int, json, num, text } from "../../definition/column.ts";
import { sql, type Sql } from "../../definition/sql.ts";
import type { Layer } from "../../derivations/wallet-window/with-columns.ts";
import { field, figure, type Field } from "./field.ts";

const TIMED =
  "Timed entries are buys, hour by hour, of markets resolved in the window, made before the closing price's window ended (it ends at the event's start where the market was not resolved before, else a day before the deadline or the resolution, whichever came first), at 0.05 to 0.95.";
/** The flags, worked out once: what is summed up from them names them. */
export const flagRules: Layer = {
  is_suspicious_win_rate:
    "toBool(coalesce((win_rate > 0.85) * (wins + losses >= 10) * ((toFloat64(win_rate) - 0.567) / sqrt(0.567 * 0.433 / (wins + losses)) > 2.7), 0))",
  is_timing_anomaly: "toBool(coalesce((timing_z > 2.7) * (timing_hit_rate > 0.7), 0))",
  is_sybil_risk: "sybil_score > 70",
  is_perfect_timing: "coalesce(timing_score > 0.8, false)",
  is_position_size_volatility: "coalesce(stake_sd / stake_mean > 1.5, false)",
  is_single_market_dependence: "toBool(coalesce((concentration > 0.8) * (markets_traded >= 3), 0))",
};

/** Points of each flag. */
export const riskRule: Layer = {
  risk: "10 * is_position_size_volatility + 10 * is_single_market_dependence + 10 * is_perfect_timing + 20 * is_sybil_risk + 25 * is_suspicious_win_rate + 25 * is_timing_anomaly",
};

const flagged = Object.keys(flagRules).map((name) => `if(${name}, '${name.slice("is_".length)}', '')`);

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
const asText = (categories: Sql): Sql => sql`toJSONString(${categories})`;

/** Timing, likeness to other wallets, flags and categories. */
export const patternFields: Readonly<Record<string, Field>> = {
  perfect_timing_score: figure(
    `Of all moves between the prices paid and the close, the share that went the wallet's way. ${TIMED} Null under five tokens.`,
    "timing_score",
    "0 to 1",
  ),
  perfect_timing_flag: field(flag().describe("perfect_timing_score > 0.8."), "toBool(is_perfect_timing)"),
  timing_hit_rate: figure(
    `Share of tokens whose close was above the prices paid. ${TIMED} Null without one.`,
    "timing_hit_rate",
    "0 to 1",
  ),
  timing_z_score: figure("(hits − n/2) / √(n/4) over these n tokens; null under ten.", "timing_z"),
  suspicious_timing_trades: field(
    int().describe("Timed entries of tokens whose close was at least 0.20 above the prices paid."),
    "coalesce(large_gains, 0)",
  ),
  total_timed_trades: field(int().describe(TIMED), "coalesce(timed, 0)"),
  timing_anomaly_flag: field(
    flag().describe("timing_z_score > 2.7 and timing_hit_rate > 0.7."),
    "toBool(is_timing_anomaly)",
  ),
  sybil_risk_score: field(
    num("0 to 100").describe(
      "How much its entries mirror other wallets' in second, side and size (see pattern sybil); 0 where nothing was found.",
    ),
    "round(sybil_score, 6)",
  ),
  similar_wallets_count: field(int().describe("Other wallets of its cluster."), "toInt64(greatest(sybil_size, 1)) - 1"),
  sybil_risk_flag: field(flag().describe("sybil_risk_score > 70."), "toBool(is_sybil_risk)"),
  suspicious_win_rate_flag: field(
    flag().describe("win_rate > 0.85 and win_rate_z_score > 2.7."),
    "toBool(is_suspicious_win_rate)",
  ),
  position_size_volatility_flag: field(
    flag().describe("coefficient_of_variation > 1.5."),
    "toBool(is_position_size_volatility)",
  ),
  single_market_dependence_flag: field(
    flag().describe("market_concentration_ratio > 0.8 and markets_traded ≥ 3."),
    "toBool(is_single_market_dependence)",
  ),
  combined_risk_score: field(
    int().describe(
      "10 × position_size_volatility + 10 × single_market_dependence + 10 × perfect_timing + 20 × sybil_risk + 25 × suspicious_win_rate + 25 × timing_anomaly.",
    ),
    "risk",
  ),
  risk_level: field(
    text().describe("By combined_risk_score: LOW to 15, MEDIUM to 40, HIGH to 65, CRITICAL from 70."),
    "multiIf(risk <= 15, 'LOW', risk <= 40, 'MEDIUM', risk <= 65, 'HIGH', 'CRITICAL')",
  ),
  flagged_metrics: field(
    text().describe('Flags that are raised, e.g. "{suspicious_win_rate,timing_anomaly}".'),
    `concat('{', arrayStringConcat(arrayFilter(one -> one != '', [${flagged.join(", ")}]), ','), '}')`,
  ),
  performance_by_category: field(
    json({ type: "array", items: CATEGORY }, asText).describe(
      "Each category and all above it (“Sports”, “Sports / Basketball”, …), by total_pnl, best first; markets without one are “Other”. roi is uncapped; roi and win_rate are null where undefined.",
    ),
    "categories",
  ),
};
