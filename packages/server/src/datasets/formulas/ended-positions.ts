import type { Formula } from "../../definition/formula.ts";

/** What counts as won and lost. */
export const endedPositions = (fields: readonly string[], ...says: readonly string[]): Formula => ({
  title: "Positions won and lost",
  fields,
  says: [
    "A position is what a wallet did in a market (condition), both outcomes together. It ends when nothing of it is held any more or the market is resolved; it is won with a profit above 0 after fees, lost with one below 0.",
    ...says,
  ],
});
