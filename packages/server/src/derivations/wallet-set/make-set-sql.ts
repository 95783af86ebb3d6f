import { bind, fromDefinition, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletWindows } from "../../tables/wallet-windows.ts";
import { boardSumsSql } from "../wallet-window/board-sums-sql.ts";
import { dayRowsSql } from "../wallet-window/day-rows-sql.ts";
import { RETURNS } from "../wallet-window/figures-sql.ts";
import { restatedSql, type KEPT_WINDOWS } from "../wallet-window/set-sql.ts";
import { signedSumsSql } from "../wallet-window/sums-sql.ts";
import type { WalletWindow } from "../wallet-window/wallet-window.ts";
import { withColumns } from "../wallet-window/with-columns.ts";

type Days = (typeof KEPT_WINDOWS)[number];

/** What the rows of a set have in common: their day, and their version. */
export type SetRows = { readonly day: Bound; readonly version: Bound };

const OWN = new Set(["day", "period", "wallet", "version"]);
const COLUMNS = Object.keys(walletWindows.columns).filter((column) => !OWN.has(column));
const SUMS = fromDefinition(COLUMNS.join(", "));

const insert = (days: Days, { day, version }: SetRows, from: Sql): Sql =>
  sql`INSERT INTO ${walletWindows} (day, period, wallet, ${SUMS}, version) SELECT ${day}, ${bind("String", String(days))}, wallet, ${SUMS}, ${version} FROM ${from}`;

const fromDays = (window: WalletWindow): Sql =>
  withColumns(signedSumsSql(dayRowsSql(window), true, { only: COLUMNS }), ...RETURNS);

/** Sums of a slice's wallets over a window, from the days alone; also of those that only held: the next days act on them. */
export const makeFromDays = (days: Days, rows: SetRows, slice: Sql): Sql =>
  insert(
    days,
    rows,
    sql`(SELECT * FROM ${fromDays({ days, asOf: sql`${rows.day}`, slice })} WHERE events > 0 OR return_days > 0)`,
  );

/** The same from the sums of a day before, so far as there are any. */
export const makeFromSet = (days: Days, rows: SetRows, slice: Sql): Sql =>
  insert(days, rows, boardSumsSql({ days, asOf: sql`${rows.day}`, slice, hasReturns: true, hasHolders: true }));

/** Sums of the wallets whose days were stored again since a version; zeros where they are no more in the window. */
export function makeRestated(days: Days, rows: SetRows, since: Bound): Sql {
  const restated = restatedSql(sql`(${rows.day}, ${since})`);
  const sums = fromDays({ days, asOf: sql`${rows.day}`, among: sql`SELECT wallet FROM ${restated}` });
  return insert(
    days,
    rows,
    sql`(SELECT t.wallet AS wallet, s.* EXCEPT (wallet) FROM (SELECT DISTINCT wallet FROM ${restated}) AS t LEFT JOIN ${sums} AS s USING (wallet))`,
  );
}

/** The row that marks the sums of a day as good: rows of wallet_days from `since` on are not in them. */
export const markSet = (day: Bound, since: Bound): Sql =>
  sql`INSERT INTO ${walletWindows} (day, period, version) VALUES (${day}, 'set', ${since})`;
