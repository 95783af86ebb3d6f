import { fromDefinition, joined, nothing, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { firstDayOf, type WalletWindow } from "./wallet-window.ts";

/** Names of columns and their expressions. */
export type Layer = Readonly<Record<string, string>>;

const SUMS = {
  buys: "d.buys",
  sells: "d.sells",
  events: "d.buys + d.sells + d.other_events",
  wins: "d.wins",
  losses: "d.losses",
  invested_usd: "d.bought_usd",
  pnl_usd: "d.realized_usd - d.fee_usd",
  fee_usd: "d.fee_usd",
};
const LIST = fromDefinition(
  Object.entries(SUMS)
    .map(([name, column]) => `sum(d.sign * (${column})) AS ${name}`)
    .join(", "),
);
const HELD = fromDefinition(
  "arraySort(groupArray((d.day, toFloat64(d.realized_usd - d.fee_usd), toFloat64(d.open_value_usd - d.open_cost_usd), toFloat64(d.open_value_usd), toFloat64(greatest(d.bought_usd, -d.cash_usd)), d.sign, toFloat64(d.open_cost_usd - d.realized_usd + d.fee_usd + d.cash_usd - d.unmatched_usd)))) AS held",
);

/**
 * `daily`: days in order as in `dailySeries`, each (day, mark-to-market profit, capital, sign). From them the returns,
 * and their sums as integers, so that sums of parts equal the sum of all.
 */
const RETURNS: readonly Layer[] = [
  { befores: "arrayPopBack(arrayPushFront(held, (toDate(0), 0., 0., 0., 0., toInt8(0), 0.)))" },
  {
    daily:
      "arrayFilter(one -> one.4 != 0, arrayMap((now, before, follows) -> (now.1, now.2 + now.3 - follows * before.3, if(follows, before.4, now.7) + now.5, now.6), held, befores, arrayMap((now, before) -> toUInt8(before.1 + 1 = now.1), held, befores)))",
  },
  { returns: "arrayMap(one -> one.2 / one.3, arrayFilter(one -> one.3 >= 1, daily))" },
  {
    signs: "arrayMap(one -> one.4, arrayFilter(one -> one.3 >= 1, daily))",
    parts: "arrayMap(one -> toInt128(round(greatest(least(one, 1e5), -1e5) * 1e12)), returns)",
  },
  {
    return_days: "arraySum(signs)",
    return_sum: "arraySum((sign, one) -> sign * one, signs, parts)",
    return_squares: "arraySum((sign, one) -> sign * one * one, signs, parts)",
  },
];

/**
 * A subquery with further columns, layer upon layer: each layer's expressions see the columns below it. An expression
 * used by others belongs in a layer of its own: each use within its own layer computes it again.
 */
export function withColumns(from: Sql, layers: readonly Layer[]): Sql {
  let inner = from;
  for (const layer of layers) {
    const columns = Object.entries(layer).map(([name, expression]) => `${expression} AS ${name}`);
    inner = sql`(SELECT *, ${fromDefinition(columns.join(", "))} FROM ${inner})`;
  }
  return inner;
}

/**
 * Rows of wallet_days of a window and of the day before it, from whose value the first day's profit starts. `sign` is 1
 * inside the window, else 0.
 */
function dayRowsSql({ among, slice, ...window }: WalletWindow): Sql {
  const table = among || (slice && window.days === "all") ? copyOf(walletDays, "wallet_days_by_wallet") : walletDays;
  const first = firstDayOf(window);
  const since = window.days === "all" ? nothing : sql`day >= ${first} - 1`;
  const own = among ? sql`wallet IN (${among})` : nothing;
  const where = joined([own, slice ?? nothing, since, sql`day <= ${window.asOf}`], sql` AND `);
  // Filtered by the sorting key first, so that only the key is read for other rows.
  return sql`(SELECT *, toInt8(day >= ${first}) AS sign FROM ${table} FINAL PREWHERE ${where} WHERE NOT is_gone)`;
}

const groupedSql = (window: WalletWindow, more: Sql): Sql =>
  sql`(SELECT d.wallet AS wallet, ${LIST}${more} FROM ${dayRowsSql(window)} AS d GROUP BY d.wallet HAVING events > 0)`;

/** Sums over a window, one row per wallet with an event in it: wallet, and the columns of SUMS. */
export const windowSumsSql = (window: WalletWindow): Sql => groupedSql(window, nothing);

/** The same with `daily`, `returns`, and return_days, return_sum and return_squares. */
export const windowReturnsSql = (window: WalletWindow): Sql => withColumns(groupedSql(window, sql`, ${HELD}`), RETURNS);

const SHOWN = sql`concat('0x', lower(hex(wallet))) AS key, buys + sells AS trades, wins, losses, toString(invested_usd) AS invested, toString(pnl_usd) AS pnl, toString(fee_usd) AS fees`;

/**
 * Values by which boards rank wallets with an event in a window, in the order of their addresses; optionally with the
 * sums of daily returns.
 */
export const boardSumsSql = (window: WalletWindow, hasReturns: boolean): Sql =>
  hasReturns
    ? sql`SELECT ${SHOWN}, return_days, return_sum, return_squares FROM ${windowReturnsSql(window)} ORDER BY wallet`
    : sql`SELECT ${SHOWN} FROM ${windowSumsSql(window)} ORDER BY wallet`;

/**
 * Whether a wallet's books balance as of the last of its rows of wallet_days `d`, which are all up to then: profit
 * realised less fees equals payments out less payments in, plus holdings at cost. `latest.1` is the exact difference;
 * `imbalance` excludes proceeds of shares that were never held, which are cash but no profit: in correct books it is
 * only rounding.
 */
export const balanceSql = sql`sum(d.buys + d.sells + d.other_events) AS events_ever,
  argMax((d.realized_total_usd - d.fee_total_usd - d.open_cost_usd - d.cash_total_usd, d.is_estimated), d.day) AS latest,
  latest.1 + sum(d.unmatched_usd) AS imbalance,
  toFloat64(latest.1) AS residual_usd,
  multiIf(abs(toFloat64(imbalance)) > 0.01 + 0.0001 * events_ever, 'unreconciled', latest.2, 'estimated', 'exact') AS pnl_status`;
