import { lastDaySql } from "../../definition/as-of-day.ts";
import { idsSql } from "../../definition/filter.ts";
import { exactMicros, microsOf, type Micros } from "../../definition/micros.ts";
import type { Board } from "../../definition/served-keyed.ts";
import { bind, sql } from "../../definition/sql.ts";
import { walletDays } from "../../tables/wallet-days.ts";
import { boardSumsSql } from "./board-sums-sql.ts";
import { CONTEXT_DAYS } from "./context-sql.ts";
import { walletSumsSql } from "./figures-sql.ts";
import { firstDayOf } from "./wallet-window.ts";

const MOST_CONTEXT = Math.max(...CONTEXT_DAYS);
const WALLET_BYTES = 20;

/** What a wallet with an event in a window did in it. */
export type BoardRow = {
  /** The wallet, 0x-hex. */
  readonly key: string;
  readonly trades: number;
  readonly wins: number;
  readonly losses: number;
  /** Millionths of USD. */
  readonly invested: Micros;
  readonly pnl: Micros;
};

/** The wallets of a window that ends with a day (since 1970) by profit, ties by address. */
export function walletBoard(days: number | "all", asOf: number): Board<BoardRow> {
  const last = lastDaySql(asOf);
  const window = { days, asOf: last };
  return {
    id: `wallets ${days} ${asOf}`,
    tables: [walletDays],
    rows: (among) => {
      const sums = among
        ? walletSumsSql({ ...window, among: idsSql(among, WALLET_BYTES) })
        : boardSumsSql({ ...window, hasReturns: false });
      return sql`SELECT concat('0x', lower(hex(wallet))) AS key, toString(buys + sells) AS trades, toString(wins) AS wins, toString(losses) AS losses, toString(invested_usd) AS invested, toString(pnl_usd) AS pnl FROM ${sums}`;
    },
    // With the day before the window, whose value the first day's profit starts from, and the days of its context.
    changedSince: (version) =>
      sql`SELECT DISTINCT concat('0x', lower(hex(wallet))) AS key FROM ${walletDays} WHERE version >= ${bind("UInt64", version)} AND day >= least(${firstDayOf(window)} - 1, ${last} - ${bind("UInt8", MOST_CONTEXT)}) AND day <= ${last}`,
    read: ({ key = "", trades, wins, losses, invested = "", pnl = "" }) => ({
      key,
      trades: Number(trades),
      wins: Number(wins),
      losses: Number(losses),
      invested: exactMicros(microsOf(invested)),
      pnl: exactMicros(microsOf(pnl)),
    }),
    compare: (a, b) => (a.pnl === b.pnl ? (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) : a.pnl > b.pnl ? -1 : 1),
  };
}
