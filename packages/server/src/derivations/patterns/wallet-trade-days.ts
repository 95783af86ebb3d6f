import { defineDaysDerivation } from "../../definition/day-derivation.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { daysOf, fillsByDay } from "./days-of.ts";
import { BINARY, rowsByDay } from "./rows-by-day.ts";
import { SetEvents, setEventsSql } from "./set-events.ts";
import { writeTradeDay } from "./write-trade-day.ts";

/** Fills, splits and merges of a day → how each wallet traded. */
export const walletTradeDaysFromFills = defineDaysDerivation({
  name: "wallet-trade-days",
  title: "How wallets traded, by day",
  from: [polymarketFills, polymarketPositionChanges],
  into: walletTradeDays,
  after: [],
  touched: ({ since }) =>
    sql`${daysOf(polymarketFills, since)} UNION DISTINCT ${daysOf(polymarketPositionChanges, since)}`,
  sizes: fillsByDay,
  rowsOfSlice: async function* (days, _slice, readBytes) {
    const sets = new SetEvents(await readBytes(setEventsSql(days), BINARY));
    yield* rowsByDay(days, readBytes, (row, fills, run) => writeTradeDay(row, fills, run, sets));
  },
});
