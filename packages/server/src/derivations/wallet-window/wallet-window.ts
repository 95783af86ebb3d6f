import { bind, sql, type Bound, type Sql, fromDefinition, given, joined } from "../../definition/sql.ts";
import { isIn } from "../../definition/filter.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";

/** Selects the last `days` days (or all) that end with the day `asOf`, of some wallets or of all. */
export type WalletWindow = {
  readonly days: number | "all";
  /** An expression of type Date. */
  readonly asOf: Sql;
  /** A subquery with one column of a few wallets. */
  readonly among?: Sql;
  /** A condition on the wallet that selects one part of all wallets. */
  readonly slice?: Sql;
};

/** Lengths of a window that the datasets accept. */
export const WINDOW_LENGTHS = ["1", "3", "7", "15", "30", "90", "all"] as const;

/** A window's length from a parameter's text ("7", "7d", "all"). */
export function lengthOf(text: Bound | undefined): number | "all" {
  const value = String(text?.value ?? "all");
  return value === "all" ? "all" : Number.parseInt(value, 10);
}

/** The window's first day. */
export const firstDayOf = ({ days, asOf }: WalletWindow): Sql =>
  days === "all" ? sql`toDate('1970-01-02')` : sql`(${asOf} - ${bind("UInt16", days - 1)})`;

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
