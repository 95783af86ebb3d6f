import { bind, fromDefinition, joined, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { walletWindows } from "../../tables/wallet-windows.ts";
import { RETURNS } from "./figures-sql.ts";
import { isKept, restatedSql, setOf } from "./set-sql.ts";
import { signedSumsSql } from "./sums-sql.ts";
import { firstDayOf, type WalletWindow } from "./wallet-window.ts";
import { withColumns } from "./with-columns.ts";

const SUMS = ["buys", "sells", "events", "wins", "losses", "invested_usd", "pnl_usd"];
const OF_RETURNS = ["return_days", "return_sum", "return_squares"];
const AND = sql` AND `;

/** Columns of wallet_days that these are made of; a star has the engine look at all, in each place that names the board. */
const OF_DAYS = "wallet, day, buys, sells, other_events, wins, losses, bought_usd, realized_usd, fee_usd";
const OF_HELD = "open_value_usd, open_cost_usd, cash_usd, unmatched_usd";
const neededOf = ({ hasReturns }: Board): Sql => fromDefinition(hasReturns ? `${OF_DAYS}, ${OF_HELD}` : OF_DAYS);

type Board = Pick<WalletWindow, "days" | "asOf" | "slice"> & {
  /** With the sums of daily returns. */
  readonly hasReturns: boolean;
  /** Also wallets that have returns alone. */
  readonly hasHolders?: boolean;
};

/**
 * Sums over a window of all wallets with an event in it: the sums that wallet_windows has as of a day near the window's
 * end, and the days since, less those that are in the window no more. Of wallets with a day that was stored again after
 * the sums were made, their days. So it is at any moment what the days say; without such sums it adds the days up.
 */
export function boardSumsSql(board: Board): Sql {
  const columns = board.hasReturns ? [...SUMS, ...OF_RETURNS] : SUMS;
  const list = fromDefinition(columns.join(", "));
  const parts = [ofDays(board), ...(isKept(board) ? [fromSet(board), ofRestated(board)] : [])].map(
    (part) => sql`SELECT wallet, ${list} FROM ${part}`,
  );
  const total = fromDefinition(columns.map((column) => `sum(p.${column}) AS ${column}`).join(", "));
  const holders = board.hasHolders ? sql` OR sum(p.return_days) > 0` : sql``;
  return sql`(WITH ${setOf(board)} AS newest_set SELECT p.wallet AS wallet, ${total} FROM (${joined(parts, sql` UNION ALL `)}) AS p GROUP BY p.wallet HAVING sum(p.events) > 0${holders})`;
}

/** Named once: each time a scalar is written out it is planned again. */
const SET = sql`(newest_set)`;

function fromSet(board: Board): Sql {
  const kept = [
    sql`day = ${SET}.1`,
    sql`period = ${bind("String", String(board.days))}`,
    sql`wallet NOT IN ${restatedSql(SET)}`,
    board.slice ?? sql``,
  ];
  return sql`${walletWindows} FINAL WHERE ${joined(kept, AND)}`;
}

/** Days since the set, and those that fell out of the window; with those before them where returns are asked for. */
function ofDays(board: Board): Sql {
  const first = firstDayOf(board);
  const back = bind("UInt8", board.hasReturns ? 1 : 0);
  const kept = [
    sql`(day >= ${SET}.1 + 1 - ${back} OR day < ${first})`,
    sql`day >= ${SET}.3 - ${back}`,
    sql`day <= ${board.asOf}`,
    sql`NOT is_gone`,
    isKept(board) ? sql`wallet NOT IN ${restatedSql(SET)}` : sql``,
    board.slice ?? sql``,
  ];
  const sign = sql`toInt8(multiIf(day > ${SET}.1, 1, day >= ${SET}.3 AND day < ${first}, -1, 0))`;
  return summed(
    board,
    sql`(SELECT ${neededOf(board)}, ${sign} AS sign FROM ${walletDays} FINAL WHERE ${joined(kept, AND)})`,
  );
}

function ofRestated(board: Board): Sql {
  const first = firstDayOf(board);
  const kept = [
    sql`wallet IN ${restatedSql(SET)}`,
    sql`day >= ${first} - ${bind("UInt8", board.hasReturns ? 1 : 0)}`,
    sql`day <= ${board.asOf}`,
    sql`NOT is_gone`,
    board.slice ?? sql``,
  ];
  const rows = sql`${copyOf(walletDays, "wallet_days_by_wallet")} FINAL WHERE ${joined(kept, AND)}`;
  return summed(board, sql`(SELECT ${neededOf(board)}, toInt8(day >= ${first}) AS sign FROM ${rows})`);
}

function summed({ hasReturns }: Board, rows: Sql): Sql {
  const sums = signedSumsSql(rows, hasReturns, { only: SUMS });
  return hasReturns ? withColumns(sums, ...RETURNS) : sums;
}
