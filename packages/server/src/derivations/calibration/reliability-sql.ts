import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { outcomeIndexOf } from "../../tables/polymarket-tokens.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { resolutionsSql } from "../market-facts-sql.ts";

const Z = sql`1.959963984540054`;

/** A bin with fewer forecasts is not meaningful. */
export const MIN_FORECASTS = 5;

/**
 * Wallets' buys as forecasts: one observation per wallet, outcome token and day with a buy, at the day's average price,
 * of conditions resolved by a day (SQL of type Date). A day without the wallet's own activity in the token before the
 * result is skipped: a known result is no forecast. Columns: price, payout.
 */
export function walletForecasts(wallets: Bound, asOf: Sql): Sql {
  const own = sql`wallet IN (SELECT toFixedString(unhex(substring(arrayJoin(${wallets}), 3)), 20))`;
  const bought = sql`(SELECT token_id, condition_id, first_at, toFloat64(bought_usd) / toFloat64(shares_bought) AS price FROM ${walletTokenDays} FINAL WHERE ${own} AND NOT is_gone AND shares_bought > 0 AND day <= ${asOf})`;
  const payouts = sql`(SELECT condition_id, ts AS resolved_at, payouts AS paid FROM ${resolutionsSql({ chosen: sql`condition_id IN (SELECT condition_id FROM ${bought})` })} WHERE toDate(ts, 'UTC') <= ${asOf})`;
  const index = outcomeIndexOf(sql`token_id`);
  // For a token that is held, the first event of that day may be the result itself.
  return sql`(SELECT price, toFloat64(paid[${index} + 1]) AS payout FROM ${bought} AS b INNER JOIN ${payouts} AS p USING (condition_id) WHERE first_at < resolved_at AND ${index} < length(paid))`;
}

/**
 * Forecasts (columns price, payout as floats) in a number of bins, each with its frequency and Wilson's interval, and
 * the Brier components of all forecasts.
 */
export function reliabilityBins(forecasts: Sql, bins: Bound): Sql {
  const binned = sql`SELECT toUInt32(least(floor(round(price * ${bins}, 9)), toFloat64(${bins}) - 1)) AS bin, toUInt32(count()) AS n, avg(price) AS mean_price, avg(payout) AS observed, sum(payout * payout) AS squares, sum(pow(price - payout, 2)) AS errors FROM ${forecasts} GROUP BY bin`;
  const all = sql`SELECT *, toUInt32(sum(n) OVER ()) AS total, sum(n * observed) OVER () / total AS base, sum(errors) OVER () / total AS brier,
  sum(n * pow(mean_price - observed, 2)) OVER () / total AS reliability, greatest(0, sum(n * pow(observed, 2)) OVER () / total - pow(base, 2)) AS resolution, greatest(0, sum(squares) OVER () / total - pow(base, 2)) AS uncertainty FROM (${binned})`;
  const half = sql`${Z} * sqrt(greatest(0, observed * (1 - observed)) / n + pow(${Z} / (2 * n), 2))`;
  const scale = sql`(1 + ${Z} * ${Z} / n)`;
  const middle = sql`observed + ${Z} * ${Z} / (2 * n)`;
  return sql`(SELECT *, greatest(0, (${middle} - ${half}) / ${scale}) AS observed_low, least(1, (${middle} + ${half}) / ${scale}) AS observed_high FROM (${all}))`;
}
