import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";

/** Wallets with fewer independent fills (entries) in the window are not ranked. */
export const LEAST_ENTRIES = 20;
export const WINDOW_DAYS = 15;
/** A pattern holds for so many days from the one it was found on. */
export const PATTERN_DAYS = 30;

/** Wallets from one address up to another, as 0x-hex of one byte each. */
export type WalletSlice = { readonly from: number; readonly to: number };

const address = (byte: number): Bound => bind("String", `${byte.toString(16).padStart(2, "0")}${"00".repeat(19)}`);

const inSlice = ({ from, to }: WalletSlice): Sql => {
  const first = sql`wallet >= toFixedString(unhex(${address(from)}), 20)`;
  return to > 255 ? first : sql`${first} AND wallet < toFixedString(unhex(${address(to)}), 20)`;
};

/** Rows of a table of wallets' days within the window that ends with a day. */
export const inWindow = (day: Bound): Sql =>
  sql`day > ${day} - ${bind("UInt16", WINDOW_DAYS)} AND day <= ${day} AND NOT is_gone`;

/** A slice's wallets with enough entries: a subquery of one column. */
export const eligibleSql = (day: Bound, slice: WalletSlice): Sql =>
  sql`SELECT wallet FROM ${walletEntries} FINAL WHERE ${inWindow(day)} AND ${inSlice(slice)} GROUP BY wallet HAVING sum(entries) >= ${bind("UInt32", LEAST_ENTRIES)}`;
