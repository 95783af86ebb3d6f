import { joined, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { firstDayOf, ofWallets, type WalletWindow } from "./wallet-window.ts";

const AND = sql` AND `;

/**
 * Rows of wallet_days of a window and of the day before it, whose value the first day's profit starts from. `sign` is 1
 * inside of the window, else 0.
 */
export function dayRowsSql(window: WalletWindow): Sql {
  const isOfSome = window.wallets || window.among || (window.slice && window.days === "all");
  const table = isOfSome ? copyOf(walletDays, "wallet_days_by_wallet") : walletDays;
  const first = firstDayOf(window);
  const since = window.days === "all" ? sql`` : sql`day >= ${first} - 1`;
  const where = joined([ofWallets(window), window.slice ?? sql``, since, sql`day <= ${window.asOf}`], AND);
  // What the sorting key tells is asked first, so that of other rows no more than the key is read.
  return sql`(SELECT *, toInt8(day >= ${first}) AS sign FROM ${table} FINAL PREWHERE ${where} WHERE NOT is_gone)`;
}
