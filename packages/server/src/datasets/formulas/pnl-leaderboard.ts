import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";
import { dailyReturns } from "./daily-returns.ts";
import { endedPositions } from "./ended-positions.ts";
import { SHARPE_PROBABILITY } from "./sharpe-probability.ts";

export const pnlLeaderboardFormula: readonly Formula[] = [
  averageCost("total_pnl"),
  {
    title: "Ranks and sums",
    fields: ["rank", "total_invested", "roi", "avg_trade_size", "total_trades", "markets_traded"],
    says: [
      "Sums run over the UTC days of `leaderboard_period` up to `as_of`, that day included. Every wallet with an event in them is ranked.",
      "`rank` = place by `total_pnl`, largest first, ties by `address`; filters leave rows out after ranking and never change a rank.",
      "`total_invested` = Σ price × shares of fills that bought; `roi` = `total_pnl` / `total_invested`, a fraction; `avg_trade_size` = `total_invested` / `total_trades`.",
    ],
  },
  endedPositions(["win_rate"], "`win_rate` = won / (won + lost), 0 to 1."),
  dailyReturns(
    ["sharpe_ratio", "sharpe_probability"],
    "`sharpe_ratio` = mean(r) / sd(r) × √365, sd of the sample; null under two such days.",
    SHARPE_PROBABILITY,
  ),
];
