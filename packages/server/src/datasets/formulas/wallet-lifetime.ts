import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";
import { endedPositions } from "./ended-positions.ts";

export const walletLifetimeFormula: readonly Formula[] = [
  averageCost("total_pnl"),
  {
    title: "Ratios",
    fields: ["total_invested", "roi_pct", "avg_trade_size", "avg_pnl_per_trade", "total_trades"],
    says: [
      "Over all days since the wallet's first. `total_invested` = Σ price × shares of fills that bought; `roi_pct` = `total_pnl` / `total_invested` × 100.",
      "`avg_trade_size` = `total_invested` / `total_trades`; `avg_pnl_per_trade` = `total_pnl` / `total_trades`.",
    ],
  },
  endedPositions(["win_rate_pct"], "`win_rate_pct` = won / (won + lost) × 100."),
];
