import { bind, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { OF_TOKENS, TOKENS, withTokens, type Market } from "./markets-sql.ts";

/** So many shares and more count as held. */
const LEAST_SHARES = bind("Decimal64(6)", "0.01");
const byToken = copyOf(walletTokenDays, "wallet_token_days_by_token");

/**
 * Who holds and who gained, from the wallets' days by token. A wallet's profit in an outcome is what it realised less
 * fees, and what it holds at the token's last mark less its cost (without a mark: at its cost). Resolved shares were
 * realised at their payout and are open no more.
 */
export function holdersOf(markets: readonly Market[]): Sql {
  const marks = sql`(SELECT token_id, argMax(mark, day) AS last_mark FROM ${tokenDays} FINAL PREWHERE ${OF_TOKENS} GROUP BY token_id)`;
  const tokens = sql`(SELECT place, token_id, is_yes, last_mark FROM ${TOKENS} AS t LEFT JOIN ${marks} AS m USING (token_id))`;
  const held = sql`SELECT token_id, wallet, argMax((shares, cost_usd, payout), day) AS held, sum(realized_usd - fee_usd) AS realized FROM ${byToken} FINAL PREWHERE ${OF_TOKENS} WHERE NOT is_gone GROUP BY token_id, wallet`;
  const value = sql`toDecimal128(round(toDecimal128(held.1, 6) * assumeNotNull(last_mark), 6), 6)`;
  const positions = sql`SELECT place, is_yes, wallet, if(isNull(held.3), held.1, toDecimal64(0, 6)) AS shares, toDecimal128(realized, 6) + if(isNull(last_mark) OR isNotNull(held.3), toDecimal128(0, 6), ${value} - held.2) AS pnl
FROM (${held}) AS h INNER JOIN ${tokens} AS t USING (token_id)`;
  const wallets = sql`SELECT place, wallet, sum(shares) AS open, sum(pnl) AS total, sumIf(pnl, is_yes) AS yes_pnl, sumIf(pnl, NOT is_yes) AS no_pnl, max(is_yes) AS had_yes, max(NOT is_yes) AS had_no
FROM (${positions}) GROUP BY place, wallet`;
  // The list of what each has open is left out of the answer: it costs more to write and read than all else.
  const figures = sql`SELECT place, toUInt32(length(opens)) AS holders,
  arrayReverseSort(groupArrayIf(toFloat64(open), open >= ${LEAST_SHARES})) AS opens, arraySum(opens) AS whole,
  toString(round(sum(open) / 2, 6)) AS open_interest,
  if(whole = 0, NULL, opens[1] / whole) AS top1_share, if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 3)) / whole) AS top3_share,
  if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 10)) / whole) AS top10_share, if(whole = 0, NULL, arraySum(one -> pow(one / whole, 2), opens)) AS hhi,
  if(countIf(had_yes) = 0, NULL, toString(sum(yes_pnl) / countIf(had_yes))) AS yes_avg_pnl, if(countIf(had_no) = 0, NULL, toString(sum(no_pnl) / countIf(had_no))) AS no_avg_pnl,
  toString(sum(total)) AS net_pnl, if(sumIf(total, total < 0) = 0, NULL, -toFloat64(sumIf(total, total > 0)) / toFloat64(sumIf(total, total < 0))) AS profit_loss_ratio
FROM (${wallets}) GROUP BY place`;
  return sql`${withTokens(markets)} SELECT * EXCEPT (opens, whole) FROM (${figures}) SETTINGS join_use_nulls = 1, optimize_aggregation_in_order = 1`;
}
