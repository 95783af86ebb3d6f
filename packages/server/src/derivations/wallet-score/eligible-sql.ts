import { hexOf } from "../../definition/filter.ts";
import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";

/** Wallets with fewer independent fills (entries) in the window are not ranked. */
export const LEAST_ENTRIES = 20;
export const WINDOW_DAYS = 15;
/** A pattern holds for so many days from the one it was found on. */
export const PATTERN_DAYS = 30;

/** Rows of a table of wallets' days within so many days that end with a day. */
export const inDays = (days: number, day: Bound): Sql => sql`day > ${day} - ${bind("UInt16", days)} AND day <= ${day}`;

/** The wallets with enough entries, as 0x-hex in the order of their addresses. */
export const eligibleSql = (day: Bound): Sql =>
  sql`SELECT ${hexOf(sql`wallet`)} AS address FROM ${walletEntries} FINAL WHERE ${inDays(WINDOW_DAYS, day)} AND NOT is_gone GROUP BY wallet HAVING sum(entries) >= ${bind("UInt32", LEAST_ENTRIES)} ORDER BY wallet`;
