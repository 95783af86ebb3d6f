import { given, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { ofWallets, type WalletWindow } from "./wallet-window.ts";

/**
 * Wallets' total profit (realised less fees since the first day + value − cost of what is held) at the end of each of
 * their days, with the one before, and the highest so far (at least 0): wallet, day, equity, before, peak, and the day's
 * own columns. Not by cash: that has what was got for shares that were never held too.
 */
export function equityDaysSql(asked: Pick<WalletWindow, "wallets">, to: Bound | undefined): Sql {
  const where = joined(
    [
      ofWallets({ ...asked, days: "all", asOf: sql`` }),
      given(to, (last) => sql`day <= toDate(${last})`),
      sql`NOT is_gone`,
    ],
    sql` AND `,
  );
  const days = sql`(SELECT *, realized_total_usd - fee_total_usd + open_value_usd - open_cost_usd AS equity FROM ${copyOf(walletDays, "wallet_days_by_wallet")} FINAL WHERE ${where})`;
  return sql`(SELECT *, lagInFrame(equity, 1, toDecimal64(0, 6)) OVER by_day AS before, greatest(toDecimal64(0, 6), max(equity) OVER by_day) AS peak FROM ${days} WINDOW by_day AS (PARTITION BY wallet ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))`;
}
