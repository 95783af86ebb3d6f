import { isIn } from "../../definition/filter.ts";
import { given, joined, sql, type Bound, type Named, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletConditionDays } from "../../tables/wallet-condition-days.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";

type Asked = {
  readonly wallets: Bound | undefined;
  readonly conditions: Bound | undefined;
  /** Moments; the days they are in are inside. */
  readonly from: Bound | undefined;
  readonly to: Bound | undefined;
  readonly isFifo: boolean;
};

/**
 * Days of wallets with an event: wallet, day, invested_usd, pnl_usd (realised less fees), trades, wins, losses; of some
 * markets alone where conditions are named. A day may come in several rows.
 */
export function pnlDaysSql({ wallets, conditions, from, to, isFifo }: Asked): Sql {
  const rows = (table: Named): Sql => {
    const where = joined(
      [
        given(wallets, (list) => isIn("wallet", "wallet", list)),
        given(from, (first) => sql`day >= toDate(${first})`),
        given(to, (last) => sql`day <= toDate(${last})`),
        given(conditions, (list) => isIn("condition_id", "condition", list)),
        sql`NOT is_gone`,
      ],
      sql` AND `,
    );
    return sql`${table} FINAL WHERE ${where}`;
  };
  const pnl = isFifo ? sql`realized_fifo_usd - fee_usd` : sql`realized_usd - fee_usd`;
  const done = sql`wallet, day, bought_usd AS invested_usd, ${pnl} AS pnl_usd, buys + sells AS trades`;
  if (conditions === undefined) {
    const days = rows(copyOf(walletDays, "wallet_days_by_wallet"));
    return sql`(SELECT ${done}, wins, losses FROM ${days} AND buys + sells + other_events > 0)`;
  }
  const ended = sql`SELECT wallet, day, toDecimal64(0, 6) AS invested_usd, toDecimal64(0, 6) AS pnl_usd, 0 AS trades, wins, losses FROM ${rows(walletConditionDays)}`;
  return sql`(SELECT ${done}, 0 AS wins, 0 AS losses FROM ${rows(walletTokenDays)} UNION ALL ${ended})`;
}
