import type { Touched } from "../../definition/derivation.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { EXTENTS } from "./extents.ts";
import { minutesSql, type MinutesSql } from "./minutes-of-slice.ts";
import { PRICE_RESOLUTIONS, type Resolutions } from "./price-resolutions.ts";

const { reach, near } = EXTENTS;

/**
 * The head of a statement about touched tokens: each is bound once, with its first and last moment, however often it is
 * named by what follows.
 */
export function withTouched(touched: readonly Touched[]): Sql {
  const ids = bind(
    "Array(UInt256)",
    touched.map(({ key }) => BigInt(key)),
  );
  const moments = (of: (one: Touched) => number) => bind("Array(UInt32)", touched.map(of));
  return sql`WITH ${ids} AS touched_tokens, arrayZip(touched_tokens, ${moments(({ first }) => first)}, ${moments(({ last }) => last)}) AS touched_spans`;
}

const TOUCHED: Sql = sql`(SELECT arrayJoin(touched_tokens))`;
const SPANS: Sql = sql`(SELECT arrayJoin(touched_spans) AS span)`;

const dayNumber = (seconds: Sql): Sql => sql`toUInt32(intDiv(greatest(${seconds}, 0), 86400))`;
const firstDay = (before: number): Sql => dayNumber(sql`toInt64(span.2) - ${bind("Int64", before)}`);

/**
 * Each touched token (`key` of it) with each day from so many seconds before its first moment to so many after its last.
 * Tables are in the order of these pairs: of each token little but its own days is read, whenever others were touched.
 */
export function daysOfTouched(before: number, after: number, key: Sql = sql`span.1`): Sql {
  const last = dayNumber(sql`toInt64(span.3) + ${bind("Int64", after)}`);
  return sql`(SELECT ${key}, toDate(toUInt16(arrayJoin(range(${firstDay(before)}, ${last} + 1)))) FROM ${SPANS})`;
}

/** The minutes that rows around touched ones hang on, and the last trade before them. */
export function minutesOfTouched(resolutions: Resolutions, touched: readonly Touched[]): MinutesSql {
  const longest = Math.max(...resolutions.map((name) => PRICE_RESOLUTIONS[name]));
  const extent = (reach + 2 * near + 1) * longest;
  const ofToken = sql`(token_id, toDate(minute, 'UTC')) IN ${daysOfTouched(extent, extent)}`;
  // Of tokens that had no trade between the first of these days and the first bucket that is made again.
  const spans = sql`(SELECT span.1 AS token_id, toDateTime(${firstDay(extent)} * 86400, 'UTC') AS since, toInt64(span.2) - ${bind("Int64", (near + 1) * longest)} AS until FROM ${SPANS})`;
  const lately = sql`SELECT c.token_id FROM ${polymarketCandles} AS c INNER JOIN ${spans} AS s ON s.token_id = c.token_id WHERE (c.token_id, toDate(c.minute, 'UTC')) IN ${daysOfTouched(extent, 0)} AND toUnixTimestamp(c.minute) < s.until`;
  const earlier = sql`UNION ALL SELECT c.token_id, max(c.minute), argMax(c.close, (c.minute, c.version)), toDecimal64(0, 6), 0 FROM ${polymarketCandles} AS c INNER JOIN ${spans} AS s ON s.token_id = c.token_id
WHERE c.token_id IN ${TOUCHED} AND c.token_id NOT IN (${lately}) AND c.minute < s.since GROUP BY c.token_id`;
  const ofInstrument = sql`(instrument, toDate(minute, 'UTC')) IN ${daysOfTouched(extent, extent, sql`toString(span.1)`)}`;
  const { traded, quoted } = minutesSql(ofToken, ofInstrument, earlier);
  const head = withTouched(touched);
  return { traded: sql`${head} ${traded}`, quoted: sql`${head} ${quoted}` };
}
