import type { Formula } from "../../definition/formula.ts";

export const marketHoldersFormula: readonly Formula[] = [
  {
    title: "Shares, cost and value",
    fields: ["shares", "pct_of_outcome", "average_cost", "cost", "mark", "value", "unrealized_pnl"],
    says: [
      "Wallets that hold 0.01 shares of the token or more at the end of `as_of`. `pct_of_outcome` = `shares` / Σ `shares` of all its holders × 100, whatever `min_shares` leaves out.",
      "`cost` is that of what is held by average cost (see polymarket-pnl); `average_cost` = `cost` / `shares`.",
      "`mark` = the payout once resolved, else the last mid by then, else the last trade. `value` = `shares` × `mark`; `unrealized_pnl` = `value` − `cost`. `is_resolved`: the market was resolved by then.",
    ],
  },
];
