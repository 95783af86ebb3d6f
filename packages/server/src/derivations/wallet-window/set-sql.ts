import { bind, sql, type Sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletWindows } from "../../tables/wallet-windows.ts";
import { firstDayOf, type WalletWindow } from "./wallet-window.ts";

/** Windows of which wallet_windows keeps sums; shorter ones have few days. */
export const KEPT_WINDOWS = [7, 15, 30, 90, "all"] as const;

export const isKept = ({ days }: Pick<WalletWindow, "days">): boolean => KEPT_WINDOWS.some((one) => one === days);

/**
 * Of wallet_windows, the newest day that sums of a window start from, as a scalar (day, version, first day of its
 * window): rows of wallet_days from that version on are not in them. A day so far from the window's end that its own
 * days are fewer is left out; where none is left, the day before the window, from which on nothing is missed.
 */
export function setOf({ days, asOf }: Pick<WalletWindow, "days" | "asOf">): Sql {
  const first = firstDayOf({ days, asOf });
  const none = sql`(${first} - 1, toUInt64(18446744073709551615), ${first})`;
  if (!isKept({ days })) return none;
  const near = days === "all" ? sql`` : sql` AND day >= ${asOf} - ${bind("UInt16", Math.floor((days - 1) / 2))}`;
  const begin = days === "all" ? first : sql`newest.1 - ${bind("UInt16", days - 1)}`;
  return sql`(SELECT if(count() = 0, ${none}, ((max((day, version)) AS newest).1, newest.2, ${begin})) FROM ${walletWindows} WHERE period = 'set' AND day <= ${asOf}${near})`;
}

/** Wallets of which a day up to a set's was stored again since: a subquery of one column. */
export const restatedSql = (set: Sql): Sql =>
  sql`(SELECT wallet FROM ${walletDays} WHERE version >= ${set}.2 AND day <= ${set}.1)`;
