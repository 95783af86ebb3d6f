import { LEAST_CAPITAL } from "../../derivations/wallet-score/measures.ts";
import type { Formula } from "../../definition/formula.ts";

/** The daily series that Sharpe ratios and curves of a wallet rest on. */
export const dailyReturns = (fields: readonly string[], ...says: readonly string[]): Formula => ({
  title: "Daily returns, marked to market",
  fields,
  says: [
    "profit of a day = realised − fees + (value − cost) of what is held at its end − the same at the end of the day before. A value is shares × mark; the mark of a day is its last mid, else its last trade.",
    `capital of a day = value held before, with what is won and not redeemed yet, + the larger of what was bought and what was paid net that day. r = profit / capital, on days with capital of at least $${LEAST_CAPITAL}.`,
    ...says,
  ],
});
