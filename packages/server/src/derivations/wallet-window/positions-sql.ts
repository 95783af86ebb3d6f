import { joined, sql, type Sql } from "../../definition/sql.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { ofWallets, type WalletWindow } from "./wallet-window.ts";

/**
 * Wallets' positions as of the end of a day, one row a wallet and token it ever had: what it did with it up to then,
 * what it holds of it, and at which mark: the payout once it is resolved, else the newest price by then.
 */
export function walletPositionsSql(asked: Pick<WalletWindow, "asOf" | "wallets">): Sql {
  const inside = joined(
    [ofWallets({ ...asked, days: "all" }), sql`day <= ${asked.asOf}`, sql`NOT is_gone`],
    sql` AND `,
  );
  const rows = sql`${walletTokenDays} FINAL WHERE ${inside}`;
  const marks = sql`(SELECT token_id, argMax(mark, day) AS price FROM ${tokenDays} FINAL WHERE token_id IN (SELECT token_id FROM ${rows}) AND day <= ${asked.asOf} GROUP BY token_id)`;
  const states = sql`(SELECT d.wallet AS wallet, d.token_id AS token_id, argMax((d.condition_id, d.shares, d.cost_usd, d.cost_fifo_usd, d.payout), d.day) AS latest, min(d.first_at) AS opened_at, max(d.last_at) AS last_at, sum(d.buys) AS buys, sum(d.sells) AS sells, sum(d.shares_bought) AS shares_bought, sum(d.bought_usd) AS bought_usd, sum(d.shares_sold) AS shares_sold, sum(d.sold_usd) AS sold_usd, sum(d.fee_usd) AS fee_usd, sum(d.realized_usd) AS realized_usd, sum(d.realized_fifo_usd) AS realized_fifo_usd FROM (SELECT * FROM ${rows}) AS d GROUP BY d.wallet, d.token_id)`;
  return sql`(SELECT states.* EXCEPT (latest), latest.1 AS condition_id, latest.2 AS shares, latest.3 AS cost_usd, latest.4 AS cost_fifo_usd, latest.5 AS payout, coalesce(latest.5, marks.price) AS mark, toDecimal128(latest.2, 6) * mark AS value_usd, value_usd - latest.3 AS unrealized_usd, multiIf(latest.2 = 0, 'closed', latest.5 IS NULL, 'open', 'redeemable') AS status FROM ${states} AS states LEFT JOIN ${marks} AS marks ON marks.token_id = states.token_id)`;
}

/** What wallets' open positions gained and have not realised, one row a wallet; what has no mark counts as nothing. */
export const unrealizedSql = (asked: Pick<WalletWindow, "asOf" | "wallets">): Sql =>
  sql`(SELECT wallet, sum(coalesce(unrealized_usd, 0)) AS unrealized_usd FROM ${walletPositionsSql(asked)} WHERE status != 'closed' GROUP BY wallet)`;
