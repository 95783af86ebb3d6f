import { defineDaysDerivation } from "../definition/day-derivation.ts";
import { sql } from "../definition/sql.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { walletEntries } from "../tables/wallet-entries.ts";
import { closingDaysSql, resolvedDaysSql } from "./market-facts-sql.ts";
import { entriesOfSlice } from "./wallet-entries/entries-of-slice.ts";
import { slicesSql } from "./wallet-entries/outcomes-sql.ts";

/**
 * Fills, resolutions (the catalogue's if the chain has none) and the catalogue → each wallet's purchases of each token
 * resolved on the day.
 */
export const walletEntriesFromFills = defineDaysDerivation({
  name: "wallet-entries",
  title: "Entries of wallets in resolved markets",
  from: [polymarketFills, polymarketResolutions, polymarketMarkets],
  into: walletEntries,
  after: [],
  touched: ({ since, today }) => {
    if (since === undefined)
      return sql`SELECT DISTINCT toString(day) AS day FROM (${resolvedDaysSql(sql`1`)} UNION ALL ${closingDaysSql(sql`1`)})`;
    const changed = sql`ingested_at >= fromUnixTimestamp64Micro(toInt64(${since}), 'UTC')`;
    const tokens = sql`SELECT DISTINCT token_id FROM ${polymarketFills} WHERE ${changed}`;
    const ofFills = sql`SELECT condition_id FROM ${polymarketTokens} WHERE token_id IN (${tokens})`;
    const ofMarkets = sql`SELECT condition_id FROM ${polymarketMarkets} WHERE ${changed}`;
    return sql`SELECT DISTINCT toString(day) AS day FROM (${resolvedDaysSql(sql`${changed} OR condition_id IN (${ofFills}) OR condition_id IN (${ofMarkets})`)} UNION ALL ${closingDaysSql(sql`${changed} OR condition_id IN (${ofFills})`)} UNION ALL SELECT arrayJoin([${today} - 1, ${today}]) AS day)`;
  },
  slices: slicesSql,
  rowsOfSlice: entriesOfSlice,
});
