import { sql, type Sql } from "../../definition/sql.ts";
import { dayRowsSql } from "./day-rows-sql.ts";
import { RETURNS } from "./figures-sql.ts";
import { signedSumsSql } from "./sums-sql.ts";
import type { WalletWindow } from "./wallet-window.ts";
import { withColumns } from "./with-columns.ts";

const SUMS = ["buys", "sells", "events", "wins", "losses", "invested_usd", "pnl_usd", "fee_usd"];
const SHOWN = sql`concat('0x', lower(hex(wallet))) AS key, buys + sells AS trades, wins, losses, toString(invested_usd) AS invested, toString(pnl_usd) AS pnl, toString(fee_usd) AS fees`;

/** What boards rank wallets with an event in a window by, in the order of their addresses; with the sums of daily returns. */
export function boardSumsSql(window: WalletWindow, hasReturns: boolean): Sql {
  const sums = signedSumsSql(dayRowsSql(window), hasReturns, { only: SUMS, having: sql`HAVING events > 0` });
  return hasReturns
    ? sql`SELECT ${SHOWN}, return_days, return_sum, return_squares FROM ${withColumns(sums, ...RETURNS)} ORDER BY wallet`
    : sql`SELECT ${SHOWN} FROM ${sums} ORDER BY wallet`;
}
