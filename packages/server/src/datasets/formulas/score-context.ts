import type { Formula } from "../../definition/formula.ts";

/** What 584 and 1006 tell beside the score's fifteen days. */
export const scoreContext: Formula = {
  title: "Profit of other windows",
  fields: ["pnl_1d", "pnl_3d", "pnl_7d", "pnl_30d"],
  says: [
    "`pnl_1d`, `pnl_3d`, `pnl_7d` and `pnl_30d` = Σ (realised by average cost − fees) over the last 1, 3, 7 and 30 UTC days: total_pnl of 581 with these windows. They are the whole wallet's whatever the category, and no part of the score.",
  ],
};
