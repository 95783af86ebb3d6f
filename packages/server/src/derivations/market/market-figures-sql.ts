import { idsSql, textsSql } from "../../definition/filter.ts";
import { fromDefinition, sql, type Sql, bind } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { timestampOf } from "./choose-markets.ts";
import { copyOf } from "../../definition/table.ts";
import { tokenDays } from "../../tables/token-days.ts";
import { walletTokenDays } from "../../tables/wallet-token-days.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { CATALOGUE_IS_FINAL } from "../market-facts-sql.ts";

/** A market of the catalogue: its condition (0x-hex) and the tokens of its outcomes (hex, 0 if absent). */
export type Market = { readonly id: string; readonly token_a: string; readonly token_b: string };

/** condition_id IN (the markets' conditions), in a form by which the engine prunes. */
const conditionsOf = (markets: readonly Market[]): Sql =>
  sql`condition_id IN (${idsSql(
    markets.map(({ id }) => id),
    32,
  )})`;

/**
 * The head of a statement that names the tokens of markets as a scalar: a subquery is computed in each place that names
 * it, and a bound list is sent and read in each.
 */
export function withTokens(markets: readonly Market[]): Sql {
  const texts = textsSql(markets.flatMap(({ token_a, token_b }) => [token_a, token_b]));
  return sql`WITH (SELECT arrayMap(text -> reinterpretAsUInt256(reverse(unhex(text))), ${texts})) AS token_list`;
}

/** To follow `withTokens`: token_id IN …, in a form by which the engine prunes. */
const OF_TOKENS = fromDefinition("token_id IN (SELECT arrayJoin(token_list))");

/** To follow `withTokens`: rows (place, token_id, is_yes); `place` is the market's index in the list, from 0. */
export const TOKENS = fromDefinition(
  "(SELECT toUInt32(intDiv(each.1 - 1, 2)) AS place, each.2 AS token_id, each.1 % 2 = 1 AS is_yes FROM (SELECT arrayJoin(arrayZip(arrayEnumerate(token_list), token_list)) AS each) WHERE token_id != 0)",
);

/** A market with the payout of outcome 0 and when trading ended or the market was resolved, if earlier (Unix seconds). */
export type Resolved = { readonly market: Market; readonly payout: number; readonly ended: number };

/** Mean squared distance of outcome 0's price from its payout over all minutes with a trade before the end. */
export function brierOf(resolved: readonly Resolved[]): Sql {
  const payouts = bind(
    "Array(Float64)",
    resolved.map(({ payout }) => payout),
  );
  const ends = bind(
    "Array(UInt32)",
    resolved.map(({ ended }) => ended),
  );
  const tokens = sql`(SELECT place, token_id, ${payouts}[place + 1] AS payout, toDateTime(${ends}[place + 1], 'UTC') AS ended FROM ${TOKENS} WHERE is_yes)`;
  return sql`${withTokens(resolved.map(({ market }) => market))} SELECT place, avg(pow(toFloat64(close) - payout, 2)) AS brier_to_date
FROM (SELECT token_id, minute, close FROM ${polymarketCandles} FINAL PREWHERE token_id IN (SELECT token_id FROM ${TOKENS} WHERE is_yes)) AS c INNER JOIN ${tokens} AS t USING (token_id)
WHERE minute < ended GROUP BY place`;
}

const HOUR_MS = 3_600_000;

/** Volume, trades, traders and price range, in the running hour and the 167 before it. */
export function hoursOf(markets: readonly Market[], now: number): Sql {
  const running = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = timestampOf(running - 167 * HOUR_MS);
  const dayAgo = timestampOf(running - 23 * HOUR_MS);
  const hours = sql`SELECT place, hour, sum(volume_usd) AS volume, sum(trade_count) AS trades, groupArrayArray(wallets) AS who, anyIf(close, is_yes AND isNotNull(close)) AS yes_close
FROM (SELECT token_id, hour, volume_usd, trade_count, close, wallets FROM ${tokenHours} FINAL PREWHERE hour >= ${since} AND hour <= ${timestampOf(now)} AND ${OF_TOKENS}) AS h INNER JOIN ${TOKENS} AS t USING (token_id)
GROUP BY place, hour`;
  const changes = sql`arrayPopFront(arrayDifference(arrayMap(each -> toFloat64(each.2), arraySort(groupArrayIf((hour, assumeNotNull(yes_close)), isNotNull(yes_close))))))`;
  const figures = sql`SELECT place, toString(sumIf(volume, hour >= ${dayAgo})) AS volume_24h, toString(sum(volume)) AS volume_7d,
  toUInt32(sum(trades)) AS trades_7d, toUInt32(max(trades)) AS peak_hour_trades, toUInt32(uniqExactArray(who)) AS unique_traders_7d,
  ${changes} AS changes, if(length(changes) < 3, NULL, arrayReduce('stddevPop', changes)) AS price_volatility
FROM (${hours}) GROUP BY place`;
  return sql`${withTokens(markets)} SELECT * EXCEPT (changes) FROM (${figures})`;
}

/** Smallest number of shares that counts as held. */
const MIN_SHARES = bind("Decimal64(6)", "0.01");
const byToken = copyOf(walletTokenDays, "wallet_token_days_by_token");

/**
 * Holders and winners, from the wallets' days by token. A wallet's profit in an outcome is its realised amount less
 * fees, plus open shares at the token's last mark less their cost (without a mark: at cost). Resolved shares were
 * realised at their payout and are no longer open.
 */
export function holdersOf(markets: readonly Market[]): Sql {
  const marks = sql`(SELECT token_id, argMax(mark, day) AS last_mark FROM ${tokenDays} FINAL PREWHERE ${OF_TOKENS} GROUP BY token_id)`;
  const tokens = sql`(SELECT place, token_id, is_yes, last_mark FROM ${TOKENS} AS t LEFT JOIN ${marks} AS m USING (token_id))`;
  const held = sql`SELECT token_id, wallet, argMax((shares, cost_usd, payout), day) AS held, sum(realized_usd - fee_usd) AS realized FROM ${byToken} FINAL PREWHERE ${OF_TOKENS} WHERE NOT is_gone GROUP BY token_id, wallet`;
  const value = sql`toDecimal128(floor(toDecimal128(held.1, 6) * assumeNotNull(last_mark), 6), 6)`;
  const positions = sql`SELECT place, is_yes, wallet, if(isNull(held.3), held.1, toDecimal64(0, 6)) AS shares, toDecimal128(realized, 6) + if(isNull(last_mark) OR isNotNull(held.3), toDecimal128(0, 6), ${value} - held.2) AS pnl
FROM (${held}) AS h INNER JOIN ${tokens} AS t USING (token_id)`;
  const wallets = sql`SELECT place, wallet, sum(shares) AS open, sum(pnl) AS total, sumIf(pnl, is_yes) AS yes_pnl, sumIf(pnl, NOT is_yes) AS no_pnl, max(is_yes) AS had_yes, max(NOT is_yes) AS had_no
FROM (${positions}) GROUP BY place, wallet`;
  // The list of each wallet's open shares is omitted from the result: it costs more to write and read than the rest.
  const figures = sql`SELECT place, toUInt32(length(opens)) AS holders,
  arrayReverseSort(groupArrayIf(toFloat64(open), open >= ${MIN_SHARES})) AS opens, arraySum(opens) AS whole,
  toString(round(sum(open) / 2, 6)) AS open_interest,
  if(whole = 0, NULL, opens[1] / whole) AS top1_share, if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 3)) / whole) AS top3_share,
  if(whole = 0, NULL, arraySum(arraySlice(opens, 1, 10)) / whole) AS top10_share, if(whole = 0, NULL, arraySum(one -> pow(one / whole, 2), opens)) AS hhi,
  if(countIf(had_yes) = 0, NULL, toString(sum(yes_pnl) / countIf(had_yes))) AS yes_avg_pnl, if(countIf(had_no) = 0, NULL, toString(sum(no_pnl) / countIf(had_no))) AS no_avg_pnl,
  toString(sum(total)) AS net_pnl, if(sumIf(total, total < 0) = 0, NULL, -toFloat64(sumIf(total, total > 0)) / toFloat64(sumIf(total, total < 0))) AS profit_loss_ratio
FROM (${wallets}) GROUP BY place`;
  return sql`${withTokens(markets)} SELECT * EXCEPT (opens, whole) FROM (${figures}) SETTINGS join_use_nulls = 1, optimize_aggregation_in_order = 1`;
}

const ISO = sql`'%Y-%m-%dT%H:%i:%SZ'`;

/**
 * Catalogue data of the markets, with the payout of outcome 0: of the chain's first resolution if it has one, else the
 * catalogue's once final.
 */
export function catalogueOf(markets: readonly Market[]): Sql {
  const conditions = conditionsOf(markets);
  const resolutions = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
  const listed = sql`SELECT condition_id, slug, question, end_date, start_date, updated_at, active, closed, closed_date, if(${CATALOGUE_IS_FINAL}, payout_a, NULL) AS final_payout FROM ${polymarketMarkets} FINAL PREWHERE ${conditions}`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, slug, question, formatDateTime(end_date, ${ISO}, 'UTC') AS end_date, toString(start_date) AS created_at, toString(updated_at) AS updated_at,
  active AND NOT closed AS market_active, closed AS market_closed, toUnixTimestamp(start_date) AS listed,
  toString(coalesce(r.payout, final_payout)) AS payout, toUnixTimestamp(least(coalesce(closed_date, r.at), coalesce(r.at, closed_date))) AS ended
FROM (${listed}) AS m
LEFT JOIN (SELECT condition_id, toNullable(argMin(payouts[1], (ts, log_index))) AS payout, toNullable(min(ts)) AS at FROM ${resolutions} PREWHERE ${conditions} GROUP BY condition_id) AS r USING (condition_id)
SETTINGS join_use_nulls = 1`;
}

/** Rank of each active market by resting liquidity, 0–100; equal markets share their lowest rank. */
export const liquidityRanks: Sql = sql`SELECT concat('0x', lower(hex(condition_id))) AS id, 100 * (place - 1) / greatest(1, of - 1) AS percentile
FROM (SELECT condition_id, rank() OVER (ORDER BY liquidity) AS place, count() OVER () AS of FROM ${polymarketMarkets} FINAL WHERE active AND NOT closed)`;
