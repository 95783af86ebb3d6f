import type { Formula } from "../../definition/formula.ts";
import { averageCost } from "./average-cost.ts";
import { endedPositions } from "./ended-positions.ts";

export const polymarketPnlFormula: readonly Formula[] = [
  averageCost("pnl"),
  {
    title: "First in, first out",
    fields: ["pnl"],
    says: [
      "With `method` fifo, what leaves takes the cost of the oldest shares left instead of the average. Realised and unrealised profit differ between the methods; their sum does not.",
    ],
  },
  {
    title: "Buckets",
    fields: ["invested", "trades"],
    says: [
      "`invested` = Σ price × shares of the bucket's fills that bought; `trades` = its fills, bought and sold. A split, merge, redemption or resolution is no trade.",
    ],
  },
  endedPositions(
    ["wins", "losses", "win_rate"],
    "They count on the day on which the position ended. `win_rate` = min(100, `wins` / `trades` × 100), null where `trades` is 0: it goes by trades because clients of this dataset read it so. The share of positions is `win_rate` of 579 and 581.",
  ),
];
