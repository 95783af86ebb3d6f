import type { Rebuild } from "../../definition/derivation.ts";
import { bind, joined, nothing, sql, type Sql } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { priceChanges } from "../../tables/price-changes.ts";

/** An instrument of `book_quotes_1m` that is a token of Polymarket. */
export const IS_TOKEN: Sql = sql`match(instrument, '^[0-9]+$')`;

/** Touched tokens as rows: `token_id`, `lo`, `hi`. The statement must begin with `withTouched`. */
export const TOUCHED: Sql = sql`(SELECT each.1 AS token_id, each.2 AS lo, each.3 AS hi FROM (SELECT arrayJoin(touched_list) AS each))`;

/** The buckets (of five minutes) that `touchedSql` looks for. */
export const TOUCHED_SECONDS = 300;

/**
 * The tokens of which minutes are to be looked at again, each with the first and the last of them (Unix seconds). The
 * last is the next traded minute, where there is a later one: its change hangs on what was traded before. A scalar, so
 * that it is worked out once.
 */
export const withTouched = (rebuild: Rebuild): Sql =>
  sql`WITH (SELECT groupArray(tuple(token_id, toInt64(toUnixTimestamp(lo)), toInt64(toUnixTimestamp(hi)))) FROM (${found(rebuild)})) AS touched_list`;

function found({ from, to, starts, changedSince }: Rebuild): Sql {
  const inRange = (moment: Sql): Sql =>
    sql`${moment} >= parseDateTimeBestEffort(${bind("String", from)}, 'UTC') AND ${moment} < parseDateTimeBestEffort(${bind("String", to)}, 'UTC')`;
  const chosen = (moment: Sql): Sql =>
    starts === undefined
      ? inRange(moment)
      : sql`${inRange(moment)} AND toStartOfFiveMinutes(${moment}) IN (SELECT toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC'))`;
  const since = changedSince === undefined ? nothing : sql`version >= ${bind("UInt64", changedSince)} AND`;
  const minutes = [
    sql`SELECT token_id, minute FROM ${polymarketCandles} WHERE ${since} ${chosen(sql`minute`)}`,
    sql`SELECT toUInt256(instrument) AS token_id, minute FROM ${bookQuotes} WHERE ${since} ${chosen(sql`minute`)} AND ${IS_TOKEN}`,
    // Of what is no more there is only what was made of it.
    ...(changedSince === undefined
      ? [sql`SELECT token_id, bucket AS minute FROM ${priceChanges} WHERE ${chosen(sql`bucket`)} AND NOT is_gone`]
      : []),
  ];
  const touched = sql`SELECT token_id, min(minute) AS lo, max(minute) AS hi FROM (${joined(minutes, sql` UNION ALL `)}) GROUP BY token_id`;
  // What follows a whole range did not change with it.
  if (starts === undefined) return touched;
  return sql`SELECT t.token_id AS token_id, any(t.lo) AS lo, if(countIf(c.minute > t.hi) > 0, minIf(c.minute, c.minute > t.hi), any(t.hi)) AS hi
FROM (${touched}) AS t LEFT JOIN (SELECT token_id, minute FROM ${polymarketCandles} WHERE minute >= parseDateTimeBestEffort(${bind("String", from)}, 'UTC') AND token_id IN (SELECT token_id FROM (${touched}))) AS c ON c.token_id = t.token_id
GROUP BY token_id`;
}
