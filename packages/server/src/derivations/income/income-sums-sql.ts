import { joined, sql, type Sql } from "../../definition/sql.ts";
import { polymarketIncome } from "../../tables/polymarket-income.ts";
import { polymarketIncomeWallets } from "../../tables/polymarket-income-wallets.ts";
import { firstDayOf, ofWallets, type WalletWindow } from "../wallet-window/wallet-window.ts";

/**
 * Income of a window, one row for each wallet whose income was read whole once: wallet, income_usd (nullable, so that a
 * join gives null for all others), income_checked_at.
 */
export function incomeSumsSql(window: WalletWindow): Sql {
  const inWindow = sql`ts >= toDateTime(${firstDayOf(window)}, 'UTC') AND ts < toDateTime(${window.asOf} + 1, 'UTC')`;
  const sums = sql`(SELECT wallet, sum(amount_usd) AS got_usd FROM ${polymarketIncome} WHERE ${joined([ofWallets(window), inWindow], sql` AND `)} GROUP BY wallet)`;
  const looked = sql`(SELECT wallet, checked_at FROM ${polymarketIncomeWallets} FINAL WHERE ${joined([ofWallets(window), sql`checked_at IS NOT NULL`], sql` AND `)})`;
  return sql`(SELECT looked.wallet AS wallet, toNullable(coalesce(sums.got_usd, 0)) AS income_usd, looked.checked_at AS income_checked_at FROM ${looked} AS looked LEFT JOIN ${sums} AS sums USING (wallet))`;
}
