import { shortened } from "../../definition/column.ts";
import { fromDefinition, type Sql } from "../../definition/sql.ts";

/**
 * Labels and flags of a market from the columns of market_snapshots. They compare figures as shown, because binary
 * noise would put one that equals its threshold beyond it.
 */

export const VOLUME_TRENDS = [
  "Spiking",
  "Normal",
  "Declining",
  "Significant Decline",
  "Dying Interest",
  "No Trades",
] as const;

const shown = (figure: string): string => shortened(fromDefinition(figure)).text;
const ratio = "if(volume_7d = 0, NULL, 7 * toFloat64(volume_24h) / toFloat64(volume_7d))";
const shownRatio = shown(`assumeNotNull(${ratio})`);
const trend = `multiIf(volume_7d = 0, 'No Trades', ${shownRatio} < 0.1, 'Dying Interest', ${shownRatio} < 0.3, 'Significant Decline', ${shownRatio} < 0.7, 'Declining', ${shownRatio} <= 2, 'Normal', 'Spiking')`;
const tier =
  "multiIf(isNull(liquidity_percentile), NULL, assumeNotNull(liquidity_percentile) >= 95, 'Top 5%', assumeNotNull(liquidity_percentile) >= 75, 'Top 25%', assumeNotNull(liquidity_percentile) >= 25, 'Average', assumeNotNull(liquidity_percentile) >= 10, 'Low', 'Very Low')";
const isThin = "ifNull(liquidity_percentile < 25, false)";
const isWhale = `ifNull(${shown("100 * top1_share")} > 30, false) OR ifNull(${shown("100 * top3_share")} > 60, false)`;

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
