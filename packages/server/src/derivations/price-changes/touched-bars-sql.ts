import type { Touched } from "../../definition/derivation.ts";
import { bind, fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { barsSql } from "./bars-sql.ts";
import { eventsSql } from "./events-sql.ts";
import { EXTENTS } from "./extents.ts";
import { momentSql } from "./moment-sql.ts";
import type { ResolutionPart } from "./resolution-part.ts";

const { reach, near } = EXTENTS;
const number = (value: number): Sql => fromDefinition(String(value));

/** The head of a statement about touched tokens, whose ids are then `touched_tokens`. Bound: subqueries here would be planned for every mention. */
export const withTouched = (touched: readonly Touched[]): Sql => sql`WITH ${bind(
  "Array(UInt256)",
  touched.map(({ key }) => BigInt(key)),
)} AS touched_tokens,
${bind(
  "Array(Int64)",
  touched.map(({ first }) => first),
)} AS touched_firsts,
${bind(
  "Array(Int64)",
  touched.map(({ last }) => last),
)} AS touched_lasts`;

/** Touched tokens as rows: `token_id`, `lo`, `hi`. */
export const TOUCHED: Sql = sql`(SELECT each.1 AS token_id, each.2 AS lo, each.3 AS hi FROM (SELECT arrayJoin(arrayZip(touched_tokens, touched_firsts, touched_lasts)) AS each))`;

/** The first and last bucket of `s` seconds (numbers) of which rows may differ after minutes `lo` to `hi` changed. */
export const FIRST_CHANGED: Sql = sql`(intDiv(lo, s) - ${number(near)})`;
export const LAST_CHANGED: Sql = sql`(intDiv(hi, s) + ${number(reach + near)})`;

const OWN = sql`(SELECT arrayJoin(touched_tokens))`;

/**
 * Bars of the touched tokens: those that may have changed (`is_changed`), those they hang on, and one before these for
 * all that was earlier: nothing but its close is right, and nothing but its close is read.
 */
export function touchedBarsSql({ lengths, longest }: ResolutionPart, touched: readonly Touched[]): Sql {
  const lowest = touched.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
  const highest = touched.reduce((most, { last }) => Math.max(most, last), 0);
  const extent = (reach + 2 * near + 1) * longest;
  const since = momentSql(lowest - extent);
  const within = sql`minute >= ${since} AND minute <= ${momentSql(highest + extent)}`;
  const events = eventsSql(
    sql`token_id IN ${OWN} AND ${within}`,
    sql`instrument IN (SELECT toString(arrayJoin(touched_tokens))) AND ${within}`,
  );
  // The last trade before all that, of tokens that had none between it and the first bucket that is made again.
  const lately = sql`SELECT token_id FROM ${polymarketCandles} WHERE token_id IN ${OWN} AND minute >= ${since} AND minute < ${momentSql(lowest - (near + 1) * longest)}`;
  const earlier = sql`SELECT token_id, max(minute) AS at, true, argMax(close, (minute, version)), toDecimal64(0, 6), 0 FROM ${polymarketCandles}
WHERE token_id IN ${OWN} AND minute < ${since} AND token_id NOT IN (${lately}) GROUP BY token_id`;
  return barsSql(sql`SELECT *, greatest(intDiv(toInt64(toUnixTimestamp(minute)), s), first - ${number(reach + near + 1)}) AS b, if(b < first, 0, b <= last) AS is_own
FROM (
  SELECT e.token_id AS token_id, minute, is_trade, price, volume, trade_count, arrayJoin([${lengths}]) AS s, ${FIRST_CHANGED} AS first, ${LAST_CHANGED} AS last
  FROM (${events} UNION ALL ${earlier}) AS e INNER JOIN ${TOUCHED} AS t ON t.token_id = e.token_id
) WHERE b <= last + ${number(near)}`);
}
