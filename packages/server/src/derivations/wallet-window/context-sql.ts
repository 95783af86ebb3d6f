import { isIn } from "../../definition/filter.ts";
import { bind, fromDefinition, given, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";

/** Lengths in days of the windows shown in addition to the fifteen days of a score. */
export const CONTEXT_DAYS = [1, 3, 7, 30] as const;

export const contextColumn = (days: number): string => `pnl_${days}d_usd`;

const byWallet = copyOf(walletDays, "wallet_days_by_wallet");
const MAX_DAYS = bind("UInt8", Math.max(...CONTEXT_DAYS));
const SUMS = fromDefinition(
  CONTEXT_DAYS.map((days) => `sumIf(profit, back < ${days}) AS ${contextColumn(days)}`).join(", "),
);

/** The columns of a context joined as `c`; 0 if nothing was realised. */
export const CONTEXT_COLUMNS = fromDefinition(
  CONTEXT_DAYS.map((days) => `coalesce(c.${contextColumn(days)}, 0) AS ${contextColumn(days)}`).join(", "),
);

type Requested = Readonly<Record<"wallets" | "from" | "to", Bound | undefined>>;

/**
 * Realised profit less fees over windows that end with each day from one to another: wallet, day, and the sums, if
 * there are any.
 */
export function contextByDaySql({ wallets, from, to }: Requested): Sql {
  const where = joined(
    [
      given(wallets, (list) => isIn("wallet", "wallet", list)),
      given(from, (first) => sql`day > ${first} - ${MAX_DAYS}`),
      given(to, (last) => sql`day <= ${last}`),
      sql`realized_usd != fee_usd`,
      sql`NOT is_gone`,
    ],
    sql` AND `,
  );
  const ends = sql`(SELECT wallet, day AS done, realized_usd - fee_usd AS profit, arrayJoin(range(${MAX_DAYS})) AS back FROM ${byWallet} FINAL WHERE ${where})`;
  return sql`(SELECT wallet, done + back AS day, ${SUMS} FROM ${ends} GROUP BY wallet, day)`;
}
