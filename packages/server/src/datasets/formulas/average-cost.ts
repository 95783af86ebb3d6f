import type { Formula } from "../../definition/formula.ts";

/** How profit is realised: what every figure of a wallet in dollars is made of. */
export const averageCost = (...fields: readonly string[]): Formula => ({
  title: "Realised profit by average cost",
  fields,
  says: [
    "A wallet holds q shares of each outcome token at a cost c, both 0 at first; a = c / q is their average cost.",
    "Buying s shares at p: q ← q + s, c ← c + p · s. Selling s at p: d = min(s, q); realised += d · (p − a); q ← q − d, c ← c − a · d. What was sold without having been held is no profit.",
    "A split buys both outcomes at 0.50, a merge sells both at 0.50, a redemption sells at the payout. Shares from another wallet cost 0, shares sent to one bring 0.",
    "A conversion of NO shares of n questions gives them away at their cost; the YES shares that come cost what that leaves after the money that came, in equal parts.",
    "When a condition is resolved, what is held is won or lost on that day at its payout, whether or not anybody redeems it.",
    "profit = Σ realised − Σ fees of fills. Amounts are whole millionths of a dollar, rounded down.",
  ],
});
