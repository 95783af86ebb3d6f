import { defineDaysDerivation } from "../../definition/day-derivation.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { daysOf, fillsByDay, rowsByDay } from "./rows-by-day.ts";
import { writeEchoes } from "./write-echoes.ts";
import { writeMatches } from "./write-matches.ts";

/** Fills of a day → pairs of wallets that met, or entered alike. */
export const walletPairDaysFromFills = defineDaysDerivation({
  name: "wallet-pair-days",
  title: "Daily pairs of wallets that trade with each other or alike",
  from: [polymarketFills],
  into: walletPairDays,
  after: [],
  touched: ({ since }) => daysOf(polymarketFills, since),
  sizes: fillsByDay,
  rowsOfSlice: (days, _slice, readBytes) =>
    rowsByDay(days, readBytes, async (row, fills, run) => {
      await writeMatches(row, fills, run);
      await writeEchoes(row, fills, run);
    }),
});
