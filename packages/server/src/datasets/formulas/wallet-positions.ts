import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";

export const walletPositionsFormula: readonly Formula[] = [
  averageCost("realized_pnl", "cost", "shares"),
  {
    title: "Cost, mark and value",
    fields: [
      "cost_fifo",
      "realized_pnl_fifo",
      "average_cost",
      "mark",
      "value",
      "unrealized_pnl",
      "pct_of_value",
      "fees",
      "shares_bought",
      "bought",
      "shares_sold",
      "sold",
      "trades",
    ],
    says: [
      "`average_cost` = `cost` / `shares`. `cost_fifo` and `realized_pnl_fifo` are the same with the oldest shares sold first.",
      "`mark` = the payout once resolved, else the last mid of the newest day by then, else its last trade. `value` = `shares` × `mark`; `unrealized_pnl` = `value` − `cost`; after a resolution `cost` is the payout, so nothing is unrealised.",
      "`pct_of_value` = `value` / Σ `value` of all the wallet holds × 100, whatever filters are sent.",
      "The rest are sums of the wallet's fills of the token up to then.",
    ],
  },
];
