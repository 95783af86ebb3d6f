import type { Formula } from "../../definition/formula.ts";

export const walletLedgerFormula: readonly Formula[] = [
  {
    title: "Signed changes",
    fields: ["shares", "usd", "fee_usd", "price"],
    says: [
      "Each row is what one operation changed: `shares` of a token and `usd`, positive when they came. A buy has `usd` = −price × shares, a sell the opposite; a split pays a dollar a set, a merge returns it, a redemption brings the payout.",
      "V1 took the fee of a buy in shares: these are left out of `shares`, and what was paid for them is in `fee_usd` instead of `usd`.",
      "`price` = |`usd` / `shares`| of a fill; the payout of a resolution.",
      "Σ `shares` by `token_id` over the whole history is what the wallet holds. Σ `usd` − Σ `fee_usd`, income apart, is its cash; cash + Σ shares held × mark is its total profit, whatever the method of cost.",
    ],
  },
];
