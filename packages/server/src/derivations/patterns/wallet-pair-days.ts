import { defineDayDerivation } from "../../definition/day-derivation.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { walletPairDays } from "../../tables/wallet-pair-days.ts";
import { daysOf } from "./days-of.ts";
import { echoedPairs, matchedPairs } from "./pair-days-sql.ts";

/** Fills of a day → pairs of wallets that met, or entered alike. */
export const walletPairDaysFromFills = defineDayDerivation({
  name: "wallet-pair-days",
  title: "Pairs of wallets that trade with each other or alike, by day",
  from: [polymarketFills],
  into: walletPairDays,
  after: [],
  touched: ({ since }) => daysOf(polymarketFills, since),
  select: (day) => sql`${matchedPairs(day)} UNION ALL ${echoedPairs(day)}`,
});
