import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";
import { dailyReturns } from "./daily-returns.ts";
import { endedPositions } from "./ended-positions.ts";
import { scoreContext } from "./score-context.ts";
import { SHARPE_PROBABILITY } from "./sharpe-probability.ts";
import { walletScore } from "./wallet-score.ts";

export const walletScoreLeaderboardFormula: readonly Formula[] = [
  ...walletScore({
    score: ["h_score", "leaderboard_rank", "tier", "score_low", "score_high", "reasons"],
    entries: [],
    skill: [],
    profit: [],
    risk: [],
    rest: [],
    factors: [],
  }),
  {
    title: "Tiers and other weights",
    fields: ["tier", "h_score", "leaderboard_rank"],
    says: [
      "`tier`: Elite from an `h_score` of 70, Sharp from 50, Solid from 35, else Emerging.",
      "`weights` weighs the stored percentiles anew (made to sum to 1) and ranks the whole pool by that; `score_low` and `score_high` are null then. `category` ranks within the pool of that category; its risk is the whole wallet's.",
    ],
  },
  averageCost("total_pnl_15d"),
  {
    title: "Figures of the fifteen days",
    fields: ["total_volume_15d", "roi_pct_15d", "total_trades_15d", "markets_traded_15d", "trajectory"],
    says: [
      "They equal 581's of the same wallet with window_days 15, rounded; of a wallet without an event in these days they are 0, null and stable. `roi_pct_15d` = `total_pnl_15d` / `total_volume_15d` × 100, where `total_volume_15d` = Σ price × shares of fills that bought.",
      "`trajectory`: with D = profit of the later half of the days − of the earlier (marked to market) and A = Σ |daily profit| of both, improving if D > 0.1 A, declining if D < −0.1 A, else stable.",
    ],
  },
  endedPositions(["win_rate_pct_15d"], "`win_rate_pct_15d` = won / (won + lost) × 100."),
  dailyReturns(
    ["sharpe_ratio_15d", "sharpe_probability"],
    "`sharpe_ratio_15d` = mean(r) / sd(r) × √365; null under two such days.",
    SHARPE_PROBABILITY,
  ),
  scoreContext,
];
