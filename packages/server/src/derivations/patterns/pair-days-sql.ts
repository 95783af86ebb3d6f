import { bind, fromDefinition, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { dayFills } from "./day-fills-sql.ts";

/** Of the day's matched volume of both wallets, so much at least lies between the two. */
const LEAST_SHARE = bind("Float64", 0.1);
/** Entries alike lie so many seconds apart at most, */
const ECHO_SECONDS = bind("UInt32", 12);
/** within so many following entries of the same side (a window's frame takes no bound value), */
const ECHO_DEPTH = fromDefinition("8");
/** and the larger one has at most so many times the shares of the smaller. */
const ECHO_RATIO = bind("Float64", 1.2);

const bytesOf = (market: Sql): Sql =>
  sql`toFixedString(if(${market} = '', repeat(unhex('00'), 32), unhex(substring(${market}, 3))), 32)`;

/**
 * Each maker's fill of a day with the wallet that took it. In the log a match is its makers' fills, then its taker's, so
 * the taker is the next in the transaction; without blocks, the transaction's first. `usd` is the taker's notional, as
 * in volumes: where sets were minted or merged, what the maker's leaves of a dollar a share.
 */
function matchedFills(day: Bound): Sql {
  const fills = dayFills(day);
  const taken = sql`if(match_kind IN ('mint', 'merge'), greatest(shares - usd, toDecimal64(0, 6)), usd)`;
  const makers = sql`(SELECT tx_hash, wallet, ${bytesOf(sql`market`)} AS condition, ${taken} AS taken_usd, is_up, if(block_number = 0, 0, log_index) AS place FROM ${fills} WHERE role = 'maker')`;
  const takers = sql`(SELECT tx_hash, wallet, log_index AS place FROM ${fills} WHERE role = 'taker')`;
  return sql`(SELECT m.wallet AS maker, t.wallet AS taker, m.condition AS market, m.taken_usd AS usd, m.is_up AS maker_up FROM ${makers} AS m ASOF INNER JOIN ${takers} AS t ON m.tx_hash = t.tx_hash AND m.place <= t.place)`;
}

/** Wallets matched with each other, where that is a tenth of what both matched on the day. */
export function matchedPairs(day: Bound): Sql {
  const matched = sql`(SELECT least(maker, taker) AS wallet_a, greatest(maker, taker) AS wallet_b, market, maker_up = (maker = wallet_a) AS is_up, usd FROM ${matchedFills(day)})`;
  const inMarket = sql`(SELECT wallet_a, wallet_b, market, toUInt32(count()) AS n, toUInt32(countIf(is_up)) AS up, sum(usd) AS usd FROM ${matched} GROUP BY wallet_a, wallet_b, market)`;
  const pairs = sql`(SELECT wallet_a, wallet_b, sum(i.usd) AS both, groupArray((market, n, up, i.usd)) AS markets FROM ${inMarket} AS i GROUP BY wallet_a, wallet_b)`;
  // A wallet's pairs side by side, each with its markets: to name the pairs twice would match the day's fills once more.
  const shares = sql`(SELECT sum(both) AS total, groupArray((wallet_a, wallet_b, both, markets)) AS own FROM ${pairs} ARRAY JOIN arrayDistinct([wallet_a, wallet_b]) AS wallet GROUP BY wallet)`;
  const close = sql`(SELECT pair.1 AS wallet_a, pair.2 AS wallet_b, any(pair.4) AS markets FROM (SELECT arrayJoin(arrayFilter(one -> toFloat64(one.3) >= ${LEAST_SHARE} * toFloat64(total), own)) AS pair FROM ${shares}) GROUP BY wallet_a, wallet_b HAVING count() = if(wallet_a = wallet_b, 1, 2))`;
  return sql`SELECT 'match' AS kind, wallet_a, wallet_b, one.1 AS condition_id, one.2 AS n, one.3 AS up, one.4 AS usd, 0. AS expected FROM ${close} ARRAY JOIN markets AS one`;
}

/**
 * Wallets that entered the same side of a market seconds apart with about the same number of shares. `expected` is how
 * often two wallets would, entering as often as they did at moments of their own while that side was traded: of any
 * size, so it errs on the side of chance.
 */
export function echoedPairs(day: Bound): Sql {
  const side = sql`PARTITION BY market, is_up`;
  const next = sql`groupArray((wallet, toUnixTimestamp(ts), toFloat64(shares), usd, own)) OVER (${side} ORDER BY ts, block_number, log_index, tx_hash ROWS BETWEEN 1 FOLLOWING AND ${ECHO_DEPTH} FOLLOWING)`;
  // Counted on the way: to join the counts and spans would read the day's fills once more for each.
  const counted = sql`(SELECT *, count() OVER (${side}, wallet) AS own, toUnixTimestamp(max(ts) OVER (${side})) - toUnixTimestamp(min(ts) OVER (${side})) + 2 * ${ECHO_SECONDS} AS seconds FROM ${dayFills(day)} WHERE role != 'maker' AND market != '')`;
  const entries = sql`(SELECT market, is_up, wallet, toUnixTimestamp(ts) AS at, toFloat64(shares) AS size, usd, own, seconds, ${next} AS following FROM ${counted})`;
  const echoes = sql`(SELECT market, is_up, least(wallet, one.1) AS wallet_a, greatest(wallet, one.1) AS wallet_b, count() AS n, sum(least(usd, one.4)) AS usd, any(own * one.5 * 2 * ${ECHO_SECONDS} / seconds) AS expected
  FROM ${entries} ARRAY JOIN following AS one WHERE one.1 != wallet AND one.2 - at <= ${ECHO_SECONDS} AND greatest(size, one.3) <= ${ECHO_RATIO} * least(size, one.3)
  GROUP BY market, is_up, wallet_a, wallet_b)`;
  return sql`SELECT 'echo' AS kind, wallet_a, wallet_b, ${bytesOf(sql`market`)} AS condition_id, toUInt32(sum(e.n)) AS n, toUInt32(sumIf(e.n, is_up)) AS up, sum(e.usd) AS usd, sum(e.expected) AS expected FROM ${echoes} AS e GROUP BY wallet_a, wallet_b, market`;
}
