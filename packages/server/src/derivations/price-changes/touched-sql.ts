import type { Rebuild } from "../../definition/derivation.ts";
import { bind, fromDefinition, joined, nothing, sql, type Sql, type Bound } from "../../definition/sql.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import { IS_TOKEN } from "./minutes-of-slice.ts";
import type { Resolutions } from "./buckets.ts";

/**
 * Buckets from one timestamp to another, both inclusive. Their days are named too: rows are ordered by day, which the
 * engine cannot infer from a bucket. (A Date would wrap around for timestamps of other centuries.)
 */
export const bucketsWithin = (from: Sql | Bound, to: Sql | Bound): Sql =>
  sql`toDate(bucket) >= toDate32(${from}, 'UTC') AND toDate(bucket) <= toDate32(${to}, 'UTC') AND bucket >= ${from} AND bucket <= ${to}`;

/**
 * The tokens whose minutes have to be read again, each with the first and the last of them. The last is the next traded
 * minute, if there is a later one: its change depends on earlier trades.
 */
export const touchedSql = (
  resolutions: Resolutions,
  bucketSeconds: number,
  rebuild: Rebuild,
): Sql => sql`WITH (${changed(resolutions, bucketSeconds, rebuild)}) AS changed_list
SELECT toString(t.token_id) AS key, toUnixTimestamp(any(t.lo)) AS first, toUnixTimestamp(if(countIf(c.minute > t.hi) > 0, minIf(c.minute, c.minute > t.hi), any(t.hi))) AS last
FROM (SELECT each.1 AS token_id, each.2 AS lo, each.3 AS hi FROM (SELECT arrayJoin(changed_list) AS each)) AS t
LEFT JOIN (SELECT token_id, minute FROM ${polymarketCandles} WHERE minute >= parseDateTimeBestEffort(${bind("String", rebuild.from)}, 'UTC') AND token_id IN (SELECT arrayJoin(changed_list).1)) AS c ON c.token_id = t.token_id
GROUP BY t.token_id`;

const at = (text: string): Sql => sql`parseDateTimeBestEffort(${bind("String", text)}, 'UTC')`;

/** A scalar, so that it is computed once: each token with changed minutes, with the first and the last of them. */
function changed(resolutions: Resolutions, size: number, { from, to, starts, changedSince }: Rebuild): Sql {
  const length = bind("UInt32", size);
  const chosen = (timestamp: Sql): Sql =>
    sql`${timestamp} >= ${at(from)} AND ${timestamp} < ${at(to)}
AND intDiv(toUnixTimestamp(${timestamp}), ${length}) * ${length} IN (SELECT arrayJoin(${bind("Array(UInt32)", starts ?? [])}))`;
  const since = changedSince === undefined ? nothing : sql`version >= ${bind("UInt64", changedSince)} AND`;
  const minutes = [
    sql`SELECT token_id, minute FROM ${polymarketCandles} WHERE ${since} ${chosen(sql`minute`)}`,
    sql`SELECT toUInt256(instrument) AS token_id, minute FROM ${bookQuotes} WHERE ${since} ${chosen(sql`minute`)} AND ${IS_TOKEN}`,
    // For deleted minutes only the rows derived from them remain.
    ...(changedSince === undefined
      ? [
          sql`SELECT token_id, bucket AS minute FROM ${priceChanges} WHERE resolution IN (${fromDefinition(resolutions.map((name) => `'${name}'`).join(", "))}) AND ${bucketsWithin(at(from), at(to))} AND ${chosen(sql`bucket`)} AND NOT is_gone`,
        ]
      : []),
  ];
  return sql`SELECT groupArray(tuple(token_id, lo, hi)) FROM (SELECT token_id, min(minute) AS lo, max(minute) AS hi FROM (${joined(minutes, sql` UNION ALL `)}) GROUP BY token_id)`;
}
