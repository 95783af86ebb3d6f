import { defineDaysDerivation } from "../../definition/day-derivation.ts";
import { bind, sql } from "../../definition/sql.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { walletPatterns } from "../../tables/wallet-patterns.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { tradersByDay } from "./evidence-sql.ts";
import { PATTERN } from "./pattern-constants.ts";
import { patternsOfDays } from "./patterns-of-days.ts";

/** Days whose state depends on a day, plus those whose zeros retract states of these days. */
const DAYS_TOUCHED = 2 * PATTERN.days - 1;

/** Evidence of 30 days → which wallets show which pattern, as of each day. */
export const walletPatternsFromEvidence = defineDaysDerivation({
  name: "wallet-patterns",
  title: "Wallet patterns",
  from: [walletTradeDays, walletPairDays],
  into: walletPatterns,
  readsEarlierDays: true,
  after: ["wallet-trade-days", "wallet-pair-days"],
  touched: ({ since }) => {
    const days = sql`SELECT DISTINCT day FROM ${walletTradeDays}`;
    if (since === undefined) return days;
    const changed = sql`SELECT day FROM ${walletTradeDays} WHERE version >= ${since} UNION DISTINCT SELECT day FROM ${walletPairDays} WHERE version >= ${since}`;
    return sql`${days} WHERE day IN (SELECT addDays(day, arrayJoin(range(${bind("UInt16", DAYS_TOUCHED)}))) FROM (${changed}))`;
  },
  sizes: tradersByDay,
  rowsOfSlice: patternsOfDays,
});
