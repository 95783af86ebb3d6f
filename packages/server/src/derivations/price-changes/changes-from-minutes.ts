import type { SqlDerivation, Rebuild, Touched, Slice } from "../../definition/derivation.ts";
import { bookQuotes } from "../../tables/book-quotes.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { priceChanges } from "../../tables/price-changes.ts";
import type { ResolutionPart } from "./resolution-part.ts";
import { bind, joined, nothing, sql, type Sql, fromDefinition } from "../../definition/sql.ts";
import { bucketsWithin } from "./buckets-within.ts";
import { FIRST_CHANGED, LAST_CHANGED, TOUCHED, touchedBarsSql, withTouched } from "./touched-bars-sql.ts";
import { EXTENTS } from "./extents.ts";
import { momentSql } from "./moment-sql.ts";
import { PRICE_RESOLUTIONS } from "./price-resolutions.ts";
import { movesSql } from "./moves-sql.ts";
import { barsSql } from "./bars-sql.ts";
import { eventsSql } from "./events-sql.ts";

/** An instrument of `book_quotes_1m` that is a token of Polymarket. */
const IS_TOKEN: Sql = sql`match(instrument, '^[0-9]+$')`;

const MINUTES_A_SLICE = sql`100000`;

const counted = sql`SELECT token_id, sum(n) AS n FROM (
  SELECT token_id, count() AS n FROM ${polymarketCandles} GROUP BY token_id
  UNION ALL SELECT toUInt256(instrument), count() FROM ${bookQuotes} WHERE ${IS_TOKEN} GROUP BY instrument
) GROUP BY token_id`;

/** Runs of tokens with about a hundred thousand minutes each; a token is never cut in two. */
const SLICES: Sql = sql`SELECT toString(min(token_id)) AS first, toString(max(token_id)) AS last
FROM (SELECT token_id, intDiv(sum(n) OVER (ORDER BY token_id) - n, ${MINUTES_A_SLICE}) AS slice FROM (${counted}))
GROUP BY slice ORDER BY min(token_id)`;

/** All bars of the tokens of a slice; of all tokens where there is none. */
const sliceBarsSql = ({ lengths }: ResolutionPart, slice: Slice | undefined): Sql =>
  barsSql(sql`SELECT *, arrayJoin([${lengths}]) AS s, intDiv(toInt64(toUnixTimestamp(minute)), s) AS b, true AS is_own
FROM (${slice ? eventsSql(ofToken(slice), ofInstrument(slice)) : eventsSql(sql`true`, IS_TOKEN)})`);

const ofToken = ({ first, last }: Slice): Sql =>
  sql`token_id >= toUInt256(${bind("String", first)}) AND token_id <= toUInt256(${bind("String", last)})`;

/** Numbers of as many digits are in the order of their text, by which quotes are stored. */
function ofInstrument({ first, last }: Slice): Sql {
  const ranges: Sql[] = [];
  for (let digits = first.length; digits <= last.length; digits += 1) {
    const low = digits === first.length ? first : `1${"0".repeat(digits - 1)}`;
    const high = digits === last.length ? last : "9".repeat(digits);
    ranges.push(
      sql`(instrument >= ${bind("String", low)} AND instrument <= ${bind("String", high)} AND length(instrument) = ${bind("UInt8", digits)})`,
    );
  }
  return sql`(${joined(ranges, sql` OR `)}) AND ${IS_TOKEN}`;
}

const whenTested = (value: Sql): Sql => sql`if(is_tested, toNullable(${value}), NULL)`;
const whenMoved = (value: Sql): Sql => sql`if(is_move, toNullable(${value}), NULL)`;

/** Half of a change was given back: what is halfway between the two prices was reached again. */
const halfway = (isUp: Sql, before: Sql, after: Sql, low: Sql, high: Sql): Sql =>
  sql`ifNull(if(${isUp}, ${low} * 2 <= ${before} + ${after}, ${high} * 2 >= ${before} + ${after}), false)`;

/** The rows of `price_changes` that bars may have changed, without version and content. */
const changesSql = (
  { names, lengths }: ResolutionPart,
  bars: Sql,
): Sql => sql`SELECT transform(s, [${lengths}], [${names}], '1m') AS resolution, toDateTime(b * s, 'UTC') AS bucket, token_id,
  traded_close AS close, if(isNull(traded_close), NULL, m.previous_close) AS previous_close,
  CAST(round((toDecimal128(traded_close, 12) / nullIf(m.previous_close, 0) - 1) * 100, 6), 'Nullable(Decimal64(6))') AS change_pct,
  volume, trade_count, if(if(isNull(traded_close), 0, all_traded > 0), toFloat64(volume) / (all_shares / all_traded), NULL) AS volume_ratio,
  if(traded_close != m.previous_close, ${halfway(sql`traded_close > m.previous_close`, sql`m.previous_close`, sql`traded_close`, sql`next_low`, sql`next_high`)}, 0) AS is_reverted,
  ${whenMoved(sql`toDateTime(if(bars_back > 1, earlier_b[1 - bars_back], b) * s, 'UTC')`)} AS jump_at,
  ${whenMoved(sql`earlier_fair[-bars_back]`)} AS jump_before, ${whenMoved(sql`fair`)} AS jump_after,
  if(is_move, moved, 0) AS jump_volume, if(is_move, toUInt32(moved_trades), 0) AS jump_trades, if(is_move, moved_ratio, NULL) AS jump_volume_ratio,
  ${whenTested(sql`signed`)} AS statistic, ${whenTested(sql`chance`)} AS p_value, if(is_tested, toUInt32(n), 0) AS window_buckets, is_peak,
  if(is_move, if(signed != 0, ${halfway(sql`signed > 0`, sql`earlier_fair[-bars_back]`, sql`fair`, sql`next_fair_low`, sql`next_fair_high`)}, 0), 0) AS is_jump_reverted
FROM (${movesSql(bars)}) AS m WHERE is_changed`;

const { near, reach } = EXTENTS;

/** Stored rows of the touched tokens, no further away than the buckets that may differ. */
function storedChangesSql({ resolutions }: ResolutionPart, touched: readonly Touched[]): Sql {
  const lowest = touched.reduce((least, { first }) => Math.min(least, first), Number.POSITIVE_INFINITY);
  const highest = touched.reduce((most, { last }) => Math.max(most, last), 0);
  const ranges = resolutions.map((name) => {
    const length = PRICE_RESOLUTIONS[name];
    const from = momentSql(lowest - (near + 1) * length);
    const to = momentSql(highest + (reach + near + 1) * length);
    return sql`(resolution = ${fromDefinition(`'${name}'`)} AND ${bucketsWithin(from, to)})`;
  });
  return sql`SELECT * FROM ${priceChanges} FINAL WHERE (${joined(ranges, sql` OR `)}) AND token_id IN (SELECT arrayJoin(touched_tokens)) AND NOT is_gone`;
}

const OWN_COLUMNS = new Set(["is_gone", "version"]);
const made = Object.keys(priceChanges.columns).filter((column) => !OWN_COLUMNS.has(column));
const MADE = fromDefinition(made.join(", "));
const VALUES = fromDefinition(made.filter((column) => !priceChanges.key.includes(column)).join(", "));
const KEY = fromDefinition(priceChanges.key.join(", "));

/** The statement that makes changes at some resolutions again: around touched minutes, else of a slice of tokens. */
function rebuildChanges(part: ResolutionPart, { touched, slice, changedSince, version }: Rebuild): Sql {
  const into = sql`INSERT INTO ${priceChanges} (${MADE}, is_gone, version, content)`;
  const all = (rows: Sql): Sql => sql`SELECT ${MADE}, is_gone, ${bind("UInt64", version)}, content FROM (${rows})`;
  if (touched === undefined) return sql`${into} ${all(rowsOf(part, sliceBarsSql(part, slice)))}`;
  const rows = rowsOf(part, touchedBarsSql(part, touched));
  const wanted = changedSince === undefined ? withGone(part, touched, rows) : onlyNew(part, touched, rows);
  return sql`${into} ${withTouched(touched)} ${all(wanted)}`;
}

const rowsOf = (part: ResolutionPart, bars: Sql): Sql =>
  sql`SELECT ${MADE}, false AS is_gone, cityHash64(toString(tuple(${VALUES}))) AS content FROM (${changesSql(part, bars)})`;

/** Rows that are not stored like this already. */
const onlyNew = (part: ResolutionPart, touched: readonly Touched[], rows: Sql): Sql =>
  sql`SELECT * FROM (${rows}) WHERE (resolution, bucket, token_id, content) NOT IN (SELECT toString(resolution), bucket, token_id, content FROM (${storedChangesSql(part, touched)}))`;

/** Where rows may have been taken away: also stored ones that are made no more, as gone. */
function withGone(part: ResolutionPart, touched: readonly Touched[], rows: Sql): Sql {
  const seconds = sql`transform(toString(resolution), [${part.names}], [${part.lengths}], 60)`;
  const known = sql`SELECT o.*, ${seconds} AS s, intDiv(toUnixTimestamp(bucket), s) AS b, t.lo AS lo, t.hi AS hi FROM (${storedChangesSql(part, touched)}) AS o INNER JOIN ${TOUCHED} AS t ON t.token_id = o.token_id`;
  return sql`SELECT * FROM (
  ${rows} UNION ALL SELECT ${MADE}, true AS is_gone, toUInt64(0) AS content FROM (${known}) WHERE b BETWEEN ${FIRST_CHANGED} AND ${LAST_CHANGED}
) ORDER BY ${KEY}, is_gone LIMIT 1 BY ${KEY}`;
}

/**
 * The tokens of which minutes are to be looked at again, each with the first and the last of them. The last is the next
 * traded minute, where there is a later one: its change hangs on what was traded before.
 */
const touchedSql = (
  part: ResolutionPart,
  bucketSeconds: number,
  rebuild: Rebuild,
): Sql => sql`WITH (${changed(part, bucketSeconds, rebuild)}) AS changed_list
SELECT toString(t.token_id) AS key, toUnixTimestamp(any(t.lo)) AS first, toUnixTimestamp(if(countIf(c.minute > t.hi) > 0, minIf(c.minute, c.minute > t.hi), any(t.hi))) AS last
FROM (SELECT each.1 AS token_id, each.2 AS lo, each.3 AS hi FROM (SELECT arrayJoin(changed_list) AS each)) AS t
LEFT JOIN (SELECT token_id, minute FROM ${polymarketCandles} WHERE minute >= parseDateTimeBestEffort(${bind("String", rebuild.from)}, 'UTC') AND token_id IN (SELECT arrayJoin(changed_list).1)) AS c ON c.token_id = t.token_id
GROUP BY t.token_id`;

const at = (text: string): Sql => sql`parseDateTimeBestEffort(${bind("String", text)}, 'UTC')`;

/** A scalar, so that it is worked out once: each token of which minutes changed, with the first and the last of these. */
function changed({ names }: ResolutionPart, size: number, { from, to, starts, changedSince }: Rebuild): Sql {
  const length = bind("UInt32", size);
  const chosen = (moment: Sql): Sql =>
    sql`${moment} >= ${at(from)} AND ${moment} < ${at(to)}
AND intDiv(toUnixTimestamp(${moment}), ${length}) * ${length} IN (SELECT arrayJoin(${bind("Array(UInt32)", starts ?? [])}))`;
  const since = changedSince === undefined ? nothing : sql`version >= ${bind("UInt64", changedSince)} AND`;
  const minutes = [
    sql`SELECT token_id, minute FROM ${polymarketCandles} WHERE ${since} ${chosen(sql`minute`)}`,
    sql`SELECT toUInt256(instrument) AS token_id, minute FROM ${bookQuotes} WHERE ${since} ${chosen(sql`minute`)} AND ${IS_TOKEN}`,
    // Of what is no more there is only what was made of it.
    ...(changedSince === undefined
      ? [
          sql`SELECT token_id, bucket AS minute FROM ${priceChanges} WHERE resolution IN (${names}) AND ${bucketsWithin(at(from), at(to))} AND ${chosen(sql`bucket`)} AND NOT is_gone`,
        ]
      : []),
  ];
  return sql`SELECT groupArray(tuple(token_id, lo, hi)) FROM (SELECT token_id, min(minute) AS lo, max(minute) AS hi FROM (${joined(minutes, sql` UNION ALL `)}) GROUP BY token_id)`;
}

/** How some resolutions of price changes are worked out from candles and quotes; touched are buckets of so many seconds. */
export const changesFromMinutes = (
  part: ResolutionPart,
  bucketSeconds: number,
): Omit<SqlDerivation, "name" | "title"> => ({
  from: polymarketCandles,
  also: [bookQuotes],
  into: priceChanges,
  moment: "minute",
  bucketSeconds,
  slices: SLICES,
  marksGone: true,
  touched: (rebuild) => touchedSql(part, bucketSeconds, rebuild),
  rebuild: (rebuild) => rebuildChanges(part, rebuild),
});
