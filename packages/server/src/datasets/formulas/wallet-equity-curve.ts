import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";

export const walletEquityCurveFormula: readonly Formula[] = [
  {
    title: "Total profit as candles",
    fields: ["open", "high", "low", "close", "pnl", "open_value", "unrealized_pnl", "peak", "drawdown", "max_drawdown"],
    says: [
      "Total profit at a day's end = Σ realised − Σ fees since the wallet's first day + `unrealized_pnl`, where `unrealized_pnl` = `open_value` − cost of what is held, and `open_value` = Σ shares × the day's last mark.",
      "`open` = total profit at the end of the day before the candle (0 before the first), `close` at the end of its last day, `high` and `low` the extremes of `open` and its days' ends. `pnl` = `close` − `open`.",
      "`peak` = highest total profit so far at a day's end, at least 0; `drawdown` = `peak` − `close`; `max_drawdown` = the largest of peak − total profit at the candle's days.",
    ],
  },
  averageCost("realized_pnl"),
];
