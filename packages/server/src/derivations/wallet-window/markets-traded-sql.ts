import { sql, type Sql } from "../../definition/sql.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { firstDayOf, type WalletWindow } from "./wallet-window.ts";

/** Markets (conditions) in which each of some wallets (a subquery of one column) had a fill within a window. */
export const marketsTradedSql = (window: WalletWindow, wallets: Sql): Sql =>
  sql`(SELECT wallet, uniqExactIf(condition_id, buys + sells > 0) AS markets_traded FROM ${walletTokenDays} FINAL WHERE wallet IN (${wallets}) AND day >= ${firstDayOf(window)} AND day <= ${window.asOf} AND NOT is_gone GROUP BY wallet)`;
