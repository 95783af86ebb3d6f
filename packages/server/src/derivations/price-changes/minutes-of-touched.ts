import type { Touched } from "../../definition/derivation.ts";
import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { EXTENTS, PRICE_RESOLUTIONS, type Resolutions } from "./buckets.ts";
import { minutesSql, type MinutesSql } from "./minutes-of-slice.ts";

const { reach, near } = EXTENTS;
const DAY = 86_400;

/**
 * The head of a statement about touched tokens: each token, with its first and last timestamp, is bound once however
 * often it is named.
 */
export function withTouched(touched: readonly Touched[]): Sql {
  const timestamps = (of: (one: Touched) => number) => bind("Array(UInt32)", touched.map(of));
  return sql`WITH ${idsOf(touched)} AS touched_tokens, arrayZip(touched_tokens, ${timestamps(({ first }) => first)}, ${timestamps(({ last }) => last)}) AS touched_spans`;
}

const idsOf = (touched: readonly Touched[]) =>
  bind(
    "Array(UInt256)",
    touched.map(({ key }) => BigInt(key)),
  );

/** One row per touched token: the token and its first and last timestamp. */
export const SPANS: Sql = sql`(SELECT arrayJoin(touched_spans) AS span)`;

const dayNumber = (seconds: Sql): Sql => sql`toUInt32(intDiv(greatest(${seconds}, 0), 86400))`;

/** The days from `before` seconds before a span's first timestamp to `after` seconds after its last, one row each. */
export function daysOfSpan(before: Sql, after: Sql): Sql {
  const [first, last] = [dayNumber(sql`toInt64(span.2) - ${before}`), dayNumber(sql`toInt64(span.3) + ${after}`)];
  return sql`toDate(toUInt16(arrayJoin(range(${first}, ${last} + 1))))`;
}

const longestOf = (resolutions: Resolutions): number => Math.max(...resolutions.map((name) => PRICE_RESOLUTIONS[name]));

/** Distance in seconds, before and after touched minutes, of the minutes that rows around them depend on. */
const extentOf = (resolutions: Resolutions): number => (reach + 2 * near + 1) * longestOf(resolutions);

/** Minutes are read from the start of the day (Unix seconds) in which the extent before a time begins. */
const readFrom = (first: number, extentSeconds: number): number =>
  Math.floor(Math.max(0, first - extentSeconds) / DAY) * DAY;

/** The minutes that rows around touched ones depend on; some more if those are close to each other. */
export function minutesOfTouched(resolutions: Resolutions, touched: readonly Touched[]): MinutesSql {
  const extent = extentOf(resolutions);
  const [first, last] = touched.reduce(
    ([least, most], one) => [Math.min(least, one.first), Math.max(most, one.last)],
    [Number.POSITIVE_INFINITY, 0],
  );
  const head = withTouched(touched);
  const { traded, quoted } =
    last - first <= extent ? minutesBetween(readFrom(first, extent), last + extent) : minutesOfDays(extent);
  return { traded: sql`${head} ${traded}`, quoted: sql`${head} ${quoted}` };
}

function minutesBetween(first: number, last: number): MinutesSql {
  const between = sql`minute >= toDateTime(${bind("UInt32", first)}, 'UTC') AND minute <= toDateTime(${bind("UInt32", last)}, 'UTC')`;
  return minutesSql(
    sql`token_id IN (SELECT arrayJoin(touched_tokens)) AND ${between}`,
    sql`instrument IN (SELECT toString(arrayJoin(touched_tokens))) AND ${between}`,
  );
}

/** Selects by token and day, the order of the tables, so that little besides each token's own days is read. */
function minutesOfDays(extentSeconds: number): MinutesSql {
  const extent = sql`${bind("Int64", extentSeconds)}`;
  const days = daysOfSpan(extent, extent);
  return minutesSql(
    sql`(token_id, toDate(minute, 'UTC')) IN (SELECT span.1, ${days} FROM ${SPANS})`,
    sql`(instrument, toDate(minute, 'UTC')) IN (SELECT toString(span.1), ${days} FROM ${SPANS})`,
  );
}

/** Time (Unix seconds) at or before which the bucket that precedes the first rebuilt one begins. */
export const madeAgainFrom = (resolutions: Resolutions, { first }: Touched): number =>
  first - (near + 1) * longestOf(resolutions);

/** The last traded minute of each of these tokens before the days of `minutesOfTouched`, without its volume. */
export function minutesBefore(resolutions: Resolutions, touched: readonly Touched[]): Sql {
  const extent = extentOf(resolutions);
  const since = touched.map(({ first }) => readFrom(first, extent));
  return sql`WITH ${idsOf(touched)} AS touched_tokens SELECT token_id, max(minute), argMax(close, (minute, version)), toDecimal64(0, 6), toUInt32(0)
FROM ${polymarketCandles} WHERE token_id IN (SELECT arrayJoin(touched_tokens)) AND toUnixTimestamp(minute) < transform(token_id, touched_tokens, ${bind("Array(UInt32)", since)}, toUInt32(0)) GROUP BY token_id`;
}
