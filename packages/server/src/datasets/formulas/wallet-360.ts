import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";
import { dailyReturns } from "./daily-returns.ts";
import { endedPositions } from "./ended-positions.ts";
import { SHARPE_PROBABILITY } from "./sharpe-probability.ts";
import { wallet360PatternFormula } from "./wallet-360-patterns.ts";

export const wallet360Formula: readonly Formula[] = [
  averageCost("total_pnl", "pnl_last_30day"),
  {
    title: "Trades and ratios",
    fields: [
      "total_trades",
      "total_buy_trades",
      "total_sell_trades",
      "buy_trade_ratio",
      "sell_trade_ratio",
      "total_invested",
      "roi",
      "avg_trade_size",
      "trade_size_stdev",
      "statistical_confidence",
      "days_active",
      "fees_usd",
      "maker_share",
    ],
    says: [
      "`total_trades` = `total_buy_trades` + `total_sell_trades`, counted by fill; the two ratios are their shares. `total_invested` = Σ price × shares of fills that bought.",
      "`roi` = min(1000, `total_pnl` / `total_invested` × 100). `avg_trade_size` = `total_invested` / `total_trades`. `statistical_confidence` = 1 − 1 / √`total_trades`.",
      "`maker_share` = notional of fills in which the wallet's order rested / notional of all its fills.",
    ],
  },
  endedPositions(
    ["winning_trades", "losing_trades", "win_rate", "win_rate_last_30day", "win_rate_z_score", "profit_factor"],
    "`win_rate` = `winning_trades` / n with n = `winning_trades` + `losing_trades`. `win_rate_z_score` = (`win_rate` − 0.567) / √(0.567 · 0.433 / n), 0 under n = 10.",
    "`profit_factor` = Σ profit of positions won / |Σ of those lost|; 0 without a lost one.",
  ),
  {
    title: "Sizes and concentration",
    fields: [
      "markets_traded",
      "num_markets_traded",
      "avg_market_exposure",
      "stddev_position_size",
      "coefficient_of_variation",
      "position_size_consistency",
      "max_position_pct",
      "dominant_market_pnl",
      "best_market_pnl",
      "worst_market_pnl",
      "market_concentration_ratio",
      "category_diversity_score",
    ],
    says: [
      "A market's size is what was bought in it. `coefficient_of_variation` = `stddev_position_size` / mean size; `position_size_consistency` = max(0, 1 − `coefficient_of_variation`); `max_position_pct` = largest size / Σ sizes × 100; `avg_market_exposure` = `total_invested` / `markets_traded`.",
      "`market_concentration_ratio` = |`dominant_market_pnl`| / Σ |profit| over markets. `category_diversity_score` = −Σ s · log₂ s with s = |profit| of a finest category / Σ |profit|.",
    ],
  },
  dailyReturns(
    [
      "sharpe_ratio",
      "sharpe_probability",
      "sortino_ratio",
      "calmar_ratio",
      "gain_to_pain_ratio",
      "annualized_return",
      "max_drawdown",
      "max_drawdown_usd",
      "drawdown_frequency",
      "recovery_time_avg",
      "ulcer_index",
      "curve_volatility",
    ],
    "`sharpe_ratio` = mean(r) / sd(r) × √365. `sortino_ratio` = min(50, mean(r) / √mean(min(r, 0)²) × √365). `annualized_return` = mean(r) × 365, from seven days on. `curve_volatility` = sd(r).",
    SHARPE_PROBABILITY,
    "The curve is the sum of the daily profits from 0, its peak the highest point so far (at least 0), a fall what it is below the peak. `max_drawdown_usd` = largest fall; `max_drawdown` = largest of fall / peak. `calmar_ratio` = min(100, `annualized_return` / (`max_drawdown_usd` / largest capital of a day)). `ulcer_index` = √mean((fall / peak)²).",
    "`gain_to_pain_ratio` = min(100, Σ daily profit / Σ |daily losses|). `drawdown_frequency` = days below the peak / days of the window. `recovery_time_avg` = mean days of the falls that were made up for.",
  ),
  {
    title: "Shape of the curve",
    fields: ["equity_curve_pattern", "performance_trend"],
    says: [
      "`equity_curve_pattern`: hockey-stick where the curve ends above 0 and the last fifth of the window brought over half of it; steady where R² of the curve on time is 0.8 or more; else volatile.",
      "`performance_trend`: with D = profit of the later half of the window − of the earlier and A = Σ |daily profit| of both, improving if D > 0.1 A, declining if D < −0.1 A, else stable.",
    ],
  },
  ...wallet360PatternFormula,
];
