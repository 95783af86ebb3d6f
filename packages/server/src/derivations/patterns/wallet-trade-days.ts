import { defineDayDerivation } from "../../definition/day-derivation.ts";
import { sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../tables/polymarket-position-changes.ts";
import { walletTradeDays } from "../../tables/wallet-trade-days.ts";
import { dayFills, withinDay } from "./day-fills-sql.ts";
import { daysOf } from "./days-of.ts";

/** Fills, splits and merges of a day → how each wallet traded. */
export const walletTradeDaysFromFills = defineDayDerivation({
  name: "wallet-trade-days",
  title: "How wallets traded, by day",
  from: [polymarketFills, polymarketPositionChanges],
  into: walletTradeDays,
  after: [],
  touched: ({ since }) =>
    sql`${daysOf(polymarketFills, since)} UNION DISTINCT ${daysOf(polymarketPositionChanges, since)}`,
  select: (day) => {
    const sets = sql`(SELECT wallet, toUInt32(count()) AS set_events FROM ${polymarketPositionChanges} WHERE ${withinDay(day)} AND NOT is_inner AND kind IN ('split', 'merge') GROUP BY wallet)`;
    const byMarket = sql`(SELECT wallet, market, count() AS n, sum(f.usd) AS usd, countIf(role = 'maker') AS maker_n, sumIf(f.usd, role = 'maker') AS maker_usd,
  sumIf(shares, side = 'BUY') AS bought_shares, sumIf(f.usd, side = 'BUY') AS bought_usd, sumIf(f.usd, side = 'BUY' AND toDecimal128(f.usd, 6) >= toDecimal128(shares, 6) * toDecimal64(0.95, 2)) AS sure_usd,
  sumIf(shares, role = 'maker' AND is_up) AS up, sumIf(shares, role = 'maker' AND NOT is_up) AS down
FROM ${dayFills(day)} AS f GROUP BY wallet, market)`;
    return sql`SELECT wallet, toUInt32(sum(n)) AS fills, sum(b.usd) AS usd, toUInt32(sum(maker_n)) AS maker_fills, sum(b.maker_usd) AS maker_usd, toUInt32(sum(n - maker_n)) AS entries,
  sum(b.bought_shares) AS bought_shares, sum(b.bought_usd) AS bought_usd, sum(b.sure_usd) AS sure_usd, toUInt32(count()) AS markets, toUInt32(countIf(maker_n >= 2)) AS quoted_markets,
  toUInt32(countIf(maker_n >= 2 AND 4 * least(up, down) >= greatest(up, down))) AS two_sided_markets, any(s.set_events) AS set_events
FROM ${byMarket} AS b LEFT JOIN ${sets} AS s USING (wallet) GROUP BY wallet SETTINGS join_use_nulls = 0`;
  },
});
