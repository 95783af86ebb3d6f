import { hexOf } from "../../definition/filter.ts";
import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";

/** Wallets with fewer independent fills (entries) in the window are not ranked. */
export const MIN_ENTRIES = 20;
export const WINDOW_DAYS = 15;
/** Days for which a pattern stays valid, from the one it was found on. */
export const PATTERN_DAYS = 30;

/** Days (YYYY-MM-DD) whose scores are computed from the same rows, both inclusive. */
export type ScoredSpan = { readonly first: string; readonly last: string };

/** Condition for rows of wallets' days within a number of days that end with a day of a span. */
export const inDays = (days: number, { first, last }: ScoredSpan): Sql =>
  sql`day > ${dateOf(first)} - ${bind("UInt16", days)} AND day <= ${dateOf(last)}`;

const dateOf = (day: string): Bound => bind("Date", day);

/**
 * The wallets with enough entries, as 0x-hex in the order of their addresses; for a span of several days those that may
 * have enough on one of them.
 */
export const eligibleSql = (span: ScoredSpan): Sql =>
  sql`SELECT ${hexOf(sql`wallet`)} AS address FROM ${walletEntries} FINAL WHERE ${inDays(WINDOW_DAYS, span)} AND NOT is_gone GROUP BY wallet HAVING sum(entries) >= ${bind("UInt32", MIN_ENTRIES)} ORDER BY wallet`;
