import type { Sql } from "../../definition/sql.ts";
import { boardSumsSql } from "./board-sums-sql.ts";
import { PLAIN, SHARPE } from "./figures-sql.ts";
import type { WalletWindow } from "./wallet-window.ts";
import { withColumns } from "./with-columns.ts";

/**
 * The figures of walletFiguresSql that boards rank and filter by, of all wallets with an event in a window: counts and
 * money, win_rate, roi, avg_trade_usd, avg_pnl_usd, and, where asked for, sharpe.
 */
export const boardSql = ({ days, asOf }: Pick<WalletWindow, "days" | "asOf">, hasSharpe: boolean): Sql =>
  withColumns(
    boardSumsSql({ days, asOf, hasReturns: hasSharpe }),
    { trades: "buys + sells" },
    PLAIN,
    ...(hasSharpe ? SHARPE : []),
  );
