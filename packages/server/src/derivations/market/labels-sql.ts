import { fromDefinition, type Sql } from "../../definition/sql.ts";

/** Labels and flags of a market from the columns of market_snapshots, each with its rule in words. */

export const VOLUME_TRENDS = [
  "Spiking",
  "Normal",
  "Declining",
  "Significant Decline",
  "Dying Interest",
  "No Trades",
] as const;

const ratio = "if(volume_7d = 0, NULL, 7 * toFloat64(volume_24h) / toFloat64(volume_7d))";
const trend = `multiIf(volume_7d = 0, 'No Trades', assumeNotNull(${ratio}) < 0.1, 'Dying Interest', assumeNotNull(${ratio}) < 0.3, 'Significant Decline', assumeNotNull(${ratio}) < 0.7, 'Declining', assumeNotNull(${ratio}) <= 2, 'Normal', 'Spiking')`;
const tier =
  "multiIf(isNull(liquidity_percentile), NULL, assumeNotNull(liquidity_percentile) >= 95, 'Top 5%', assumeNotNull(liquidity_percentile) >= 75, 'Top 25%', assumeNotNull(liquidity_percentile) >= 25, 'Average', assumeNotNull(liquidity_percentile) >= 10, 'Low', 'Very Low')";
const isThin = "ifNull(liquidity_percentile < 25, false)";
const isWhale = "ifNull(top1_share > 0.3, false) OR ifNull(top3_share > 0.6, false)";

const flag = (rule: string): Sql => fromDefinition(`toBool(${rule})`);

export const labels = {
  ratio: fromDefinition(ratio),
  trend: fromDefinition(trend),
  tier: fromDefinition(tier),
  liquidityRisk: flag(isThin),
  volumeCollapse: flag(`market_active AND ${trend} IN ('Significant Decline', 'Dying Interest')`),
  whaleControl: flag(isWhale),
  tradeConcentration: flag("peak_hour_trades >= 10 AND peak_hour_trades > 10 * trades_7d / 168"),
  squeezeRisk: flag(`(${isWhale}) AND ${isThin}`),
  winningSide: fromDefinition("multiIf(yes_avg_pnl > no_avg_pnl, 'Yes', yes_avg_pnl < no_avg_pnl, 'No', NULL)"),
};
