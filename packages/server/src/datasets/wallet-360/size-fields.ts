import { id, int, num } from "../../definition/column.ts";
import { field, type Field } from "./field.ts";

const usd = () => num("USD");
const POSITIONS = "bought notional by market (condition)";

/** Markets, sizes and concentration. */
export const sizeFields: Readonly<Record<string, Field>> = {
  markets_traded: field(int().describe("Markets (conditions) with a fill."), "coalesce(markets_traded, 0)"),
  num_markets_traded: field(int().describe("The same as markets_traded."), "coalesce(markets_traded, 0)"),
  avg_trade_size: field(
    usd().maybe().describe("total_invested / total_trades; null without a trade."),
    "round(avg_trade_usd, 6)",
  ),
  avg_market_exposure: field(
    usd().maybe().describe("total_invested / markets_traded; null without a market."),
    "round(toFloat64(invested_usd) / nullIf(markets_traded, 0), 6)",
  ),
  trade_size_stdev: field(
    usd().maybe().describe("Sample standard deviation of the notional of the fills that bought; null under two."),
    "if(buys < 2, NULL, round(sqrt(greatest(0, (bought_usd_squared - pow(toFloat64(invested_usd), 2) / buys) / (buys - 1))), 6))",
  ),
  stddev_position_size: field(
    usd().maybe().describe(`Sample standard deviation of ${POSITIONS}; null under two markets.`),
    "round(stake_sd, 6)",
  ),
  coefficient_of_variation: field(
    num().maybe().describe(`stddev_position_size / mean of ${POSITIONS}; null under two markets.`),
    "round(stake_sd / stake_mean, 6)",
  ),
  position_size_consistency: field(
    num("0 to 1").maybe().describe("max(0, 1 − coefficient_of_variation); null where that is."),
    "round(if(stake_sd > stake_mean, 0, 1 - stake_sd / stake_mean), 6)",
  ),
  max_position_pct: field(
    num("percent").maybe().describe(`Largest share of ${POSITIONS}; null if nothing was bought.`),
    "round(100 * stake_max_share, 6)",
  ),
  dominant_market_id: field(
    id().maybe().describe("Condition with the largest |profit|; null where no market has any."),
    "dominant_id",
  ),
  dominant_market_pnl: field(usd().maybe().describe("Its profit."), "dominant_pnl"),
  best_market_pnl: field(
    usd().maybe().describe("Largest profit of a market; null without a market."),
    "best_market_pnl",
  ),
  worst_market_pnl: field(usd().maybe().describe("Smallest profit of a market."), "worst_market_pnl"),
  market_concentration_ratio: field(
    num("0 to 1").maybe().describe("|dominant_market_pnl| / Σ |profit| over markets; null where no market has any."),
    "round(concentration, 6)",
  ),
  category_diversity_score: field(
    num("bits")
      .maybe()
      .describe("−Σ s log₂ s with s = |profit| of a finest category over Σ |profit|; null where none has any."),
    "round(category_entropy, 6)",
  ),
};
