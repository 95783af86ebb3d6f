import { microPrice } from "../../definition/book-columns.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { bookEvents } from "../../tables/book-events.ts";
import { timestampOf } from "./choose-markets.ts";
import { TOKENS, withTokens, type Market } from "./market-figures-sql.ts";

const DAY_MS = 86_400_000;
export const SLIPPAGE_USD = bind("Float64", 1000);

/** Notional of the levels of one side within two cents of the mid price. */
const near = (levels: Sql): Sql =>
  sql`arraySum(level -> if(abs(level.1 - mid) < 0.0200001, level.1 * level.2, 0), ${levels})`;

const MICRO_PRICE = microPrice({ price: sql`bid`, size: sql`bid_size` }, { price: sql`ask`, size: sql`ask_size` });

/** Average price of a given notional over levels, best first; null if they contain less. */
const average = (levels: Sql): Sql =>
  sql`if(arraySum(level -> level.1 * level.2, ${levels}) < ${SLIPPAGE_USD}, NULL, ${SLIPPAGE_USD} / arraySum((level, after) -> least(level.1 * level.2, greatest(0., ${SLIPPAGE_USD} - (after - level.1 * level.2))) / level.1, ${levels}, arrayCumSum(level -> level.1 * level.2, ${levels})))`;

/**
 * The newest books of outcome 0: the last snapshot of the day and the changes since. Markets without book data for a
 * day, or with an empty side, have no row.
 */
export function booksOf(markets: readonly Market[], now: number): Sql {
  const yes = sql`(SELECT place, toString(token_id) AS instrument FROM ${TOKENS} WHERE is_yes)`;
  const mine = sql`instrument IN (SELECT instrument FROM ${yes}) AND ts >= ${timestampOf(now - DAY_MS)} AND ts <= ${timestampOf(now)}`;
  const bases = sql`(SELECT instrument, max((ts, seq)) AS base FROM ${bookEvents} WHERE ${mine} AND kind = 'snapshot' GROUP BY instrument)`;
  const levels = sql`SELECT instrument, level.1 AS is_bid, level.2 AS price, argMax(level.3, (ts, seq)) AS size
FROM (SELECT instrument, ts, seq, arrayJoin(arrayConcat(arrayMap(l -> (true, l.price, l.size), bids), arrayMap(l -> (false, l.price, l.size), asks))) AS level
  FROM ${bookEvents} INNER JOIN ${bases} AS b USING (instrument) WHERE ${mine} AND (ts, seq) >= base)
GROUP BY instrument, is_bid, price HAVING size > 0`;
  const sides = sql`SELECT instrument, max(if(is_bid, price, NULL)) AS bid, min(if(is_bid, NULL, price)) AS ask, argMaxIf(size, price, is_bid) AS bid_size, argMinIf(size, price, NOT is_bid) AS ask_size,
  arrayReverseSort(groupArrayIf((toFloat64(price), toFloat64(size)), is_bid)) AS bids, arraySort(groupArrayIf((toFloat64(price), toFloat64(size)), NOT is_bid)) AS asks
FROM (${levels}) GROUP BY instrument HAVING isNotNull(bid) AND isNotNull(ask)`;
  return sql`${withTokens(markets)} SELECT place, toString(ask - bid) AS spread, toFloat64(assumeNotNull(bid + ask)) / 2 AS mid,
  toString(round(assumeNotNull(${MICRO_PRICE}), 6)) AS micro_price,
  ${near(sql`bids`)} AS bid_usd, ${near(sql`asks`)} AS ask_usd, abs(${average(sql`asks`)} - mid) AS up, abs(${average(sql`bids`)} - mid) AS down
FROM (${sides}) AS s INNER JOIN ${yes} AS y USING (instrument)`;
}
