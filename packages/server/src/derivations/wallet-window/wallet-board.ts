import { lastDaySql } from "../../definition/timestamp.ts";
import type { Board, ReadEngine } from "../../definition/served-keyed.ts";
import { idsSql } from "../../definition/filter.ts";
import { exactMicros, microsOf } from "../../definition/micros.ts";
import { bind, nothing, sql, type Sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { sharpeOfSums } from "../wallet-figures/return-figures.ts";
import { tabRows } from "../wallet-read/known-once.ts";
import { BoardColumns, type BoardRow } from "./board-columns.ts";
import { boardSumsSql } from "./board-sums-sql.ts";
import { CONTEXT_DAYS, firstDayOf } from "./wallet-window.ts";
import { RankedWallets } from "./ranked-wallets.ts";

const MAX_CONTEXT = Math.max(...CONTEXT_DAYS);
const WALLET_BYTES = 20;
/** Wallet-days summed by one statement. */
const DAYS_A_PART = 300_000;
const MAX_PARTS = 256;

/**
 * The wallets of a window that ends with a day (since 1970) by profit, ties by address; with their Sharpe ratios if
 * requested, which take the engine ten times as long.
 */
export function walletBoard(days: number | "all", asOf: number, hasReturns: boolean): Board<RankedWallets> {
  const last = lastDaySql(asOf);
  const window = { days, asOf: last };
  const within = sql`day >= ${firstDayOf(window)} AND day <= ${last}`;
  const read = async (engine: ReadEngine, some: { slice: Sql } | { among: Sql }): Promise<Iterable<BoardRow>> =>
    rowsOf(await engine.bytes(boardSumsSql({ ...window, ...some }, hasReturns), "TabSeparated"));
  return {
    id: `wallets ${days} ${asOf} ${hasReturns}`,
    tables: [walletDays],
    make: async (engine) => {
      const [reported] = await engine.rows<{ n: string }>(sql`SELECT count() AS n FROM ${walletDays} WHERE ${within}`);
      const columns = new BoardColumns(0);
      for (const slice of partsOfWallets(Math.ceil(Number(reported?.n) / DAYS_A_PART)))
        for (const row of await read(engine, { slice })) columns.append(row);
      return new RankedWallets(columns);
    },
    renew: async (board, changed, engine) =>
      board.renewed(changed.toSorted(), [...(await read(engine, { among: idsSql(changed, WALLET_BYTES) }))]),
    // Includes the day before the window, from whose value the first day's profit starts, and the days of its context.
    changedSince: (version) =>
      sql`SELECT DISTINCT concat('0x', lower(hex(wallet))) AS key FROM ${walletDays} WHERE version >= ${bind("UInt64", version)} AND day >= least(${firstDayOf(window)} - 1, ${last} - ${bind("UInt8", MAX_CONTEXT)}) AND day <= ${last}`,
    bytesOf: ({ bytes }) => bytes,
  };
}

/** Conditions on `wallet` that split all wallets into `wanted` ranges of addresses, in order. */
function partsOfWallets(wanted: number): Sql[] {
  const count = Math.min(MAX_PARTS, Math.max(1, wanted));
  const from = (index: number): Sql => {
    const byte = Math.floor((index * MAX_PARTS) / count);
    return sql`toFixedString(unhex(${bind("String", byte.toString(16).padStart(2, "0") + "00".repeat(19))}), 20)`;
  };
  return Array.from({ length: count }, (_, index) => {
    const before = index === count - 1 ? nothing : sql` AND wallet < ${from(index + 1)}`;
    return sql`wallet >= ${from(index)}${before}`;
  });
}

function* rowsOf(bytes: Uint8Array): Generator<BoardRow, void, void> {
  for (const [key = "", trades, wins, losses, invested = "", pnl = "", fees = "", ...returns] of tabRows(
    Buffer.from(bytes),
  )) {
    const [days = 0n, sum = 0n, squares = 0n] = returns.map(BigInt);
    yield {
      key,
      trades: Number(trades),
      wins: Number(wins),
      losses: Number(losses),
      invested: exactMicros(microsOf(invested)),
      pnl: exactMicros(microsOf(pnl)),
      fees: exactMicros(microsOf(fees)),
      sharpe: sharpeOfSums({ days, sum, squares }) ?? Number.NaN,
    };
  }
}
