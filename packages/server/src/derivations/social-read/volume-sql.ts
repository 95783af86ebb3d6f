import type { Asking, OrderKey } from "../../definition/dataset.ts";
import type { Span } from "../../definition/spans.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { goneSql } from "./gone-sql.ts";
import { askedPostsSql, latePostsSql, perhapsAskedSql, type PostsAsked } from "./posts-asked.ts";
import { POST_KEY } from "./posts-at-sql.ts";
import { reactionCountsSql } from "./reactions-sql.ts";

/** Buckets of so many seconds that lie between two moments, the last one up to `to`. */
export type VolumeRange = { readonly from: Sql; readonly to: Sql; readonly seconds: number };

/** When each of the asked sources was gathered, by name, and when any of them was. */
export type Gathered = {
  readonly each: readonly { readonly source: string; readonly spans: readonly Span[] }[];
  readonly any: readonly Span[];
};

/** A source is not down for what it may lag behind. */
const LAG_MS = 60_000;
const EVER_MS = 0;

const millis = (spans: readonly Span[], end: "from" | "to"): Bound =>
  bind(
    "Array(Int64)",
    spans.map((span) => Math.trunc(Math.max(EVER_MS, span[end]))),
  );

/** Milliseconds of a bucket that lie in the spans. */
const heldMs = (spans: readonly Span[]): Sql =>
  spans.length === 0
    ? sql`toInt64(0)`
    : sql`arraySum((f, t) -> greatest(0, least(t, till_ms) - greatest(f, b * 1000)), ${millis(spans, "from")}, ${millis(spans, "to")})`;

const seconds = (moment: Sql): Sql => sql`toInt64(toUnixTimestamp(toDateTime(${moment}, 'UTC')))`;

/** The numbers of one bucket's posts, by its first second `of_b`. */
function countedSql(within: Sql, { to, seconds: length }: VolumeRange, asked: PostsAsked): Sql {
  const size = bind("Int64", length);
  const posts = askedPostsSql(
    sql`${POST_KEY}, author, sentiment, stance, like_count, retweet_count, reply_count, quote_count`,
    within,
    asked,
  );
  const reactions = reactionCountsSql(perhapsAskedSql(within, asked), to, asked.snapshot);
  return sql`SELECT intDiv(${seconds(sql`ts`)}, ${size}) * ${size} AS of_b, count() AS posts, uniqExact((source, author)) AS authors,
sum(sentiment) AS polarity, count(sentiment) AS judged, toInt64(countIf(sentiment >= toDecimal64('0.05', 6))) - toInt64(countIf(sentiment <= toDecimal64('-0.05', 6))) AS balance,
countIf(stance = 'buy_yes') AS buying_yes, countIf(stance = 'buy_no') AS buying_no, countIf(stance = 'up') AS going_up, countIf(stance = 'down') AS going_down,
sum(toInt64(like_count) + ifNull(likes, 0) + 2 * (toInt64(retweet_count) + ifNull(reposts, 0)) + toInt64(reply_count) + ifNull(replies, 0) + toInt64(quote_count) + ifNull(quotes, 0)) AS engagement
FROM (${posts}) AS p LEFT JOIN (${reactions}) AS r ON r.of_source = p.source AND r.of_post = p.id GROUP BY of_b`;
}

/**
 * One page of buckets, with those nothing was said in: `b` (first second), `bucket`, `till_ms`, `covered_ms`, `down`
 * (sources that were not gathered all the while), the bucket's numbers (0 without posts) and `posts_before`,
 * `covered_before_ms`, of the bucket before it.
 */
export function volumePageSql(
  range: VolumeRange,
  asked: PostsAsked,
  gathered: Gathered,
  asking: Asking,
  order: OrderKey,
): Sql {
  const { from, to } = range;
  const size = bind("Int64", range.seconds);
  const first = sql`intDiv(${seconds(from)}, ${size})`;
  const all = sql`SELECT toDateTime((${first} + toInt64(number)) * ${size}, 'UTC') AS bucket FROM numbers(toUInt64(greatest(0, intDiv(${seconds(to)}, ${size}) - ${first} + 1)))`;
  const beyond = joined([asking.after([order]), sql`1`], sql` AND `);
  const page = sql`SELECT bucket FROM (${all}) WHERE ${beyond} ORDER BY bucket LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
  const within = sql`ts >= toDateTime(page[1] - ${size}, 'UTC') AND ts < toDateTime(page[-1] + ${size}, 'UTC') AND ts <= ${to}`;
  const down = gathered.each.map(
    ({ source, spans }) =>
      sql`if(${heldMs(spans)} < till_ms - b * 1000 - ${bind("Int64", LAG_MS)}, ${bind("String", source)}, '')`,
  );
  const buckets = sql`SELECT arrayJoin(arrayConcat(if(empty(page), [], [page[1] - ${size}]), page)) AS b, least((b + ${size}) * 1000, toUnixTimestamp64Milli(toDateTime64(${to}, 3, 'UTC'))) AS till_ms,
${heldMs(gathered.any)} AS covered_ms, arrayFilter(name -> name != '', [${joined([...down, sql`''`], sql`, `)}]) AS down`;
  const filled = sql`SELECT *, lagInFrame(posts, 1, 0) OVER before AS posts_before, lagInFrame(covered_ms, 1, 0) OVER before AS covered_before_ms
FROM (SELECT * FROM (${buckets}) AS k LEFT JOIN (${countedSql(within, range, asked)}) AS c ON c.of_b = k.b)
WINDOW before AS (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
  return sql`(WITH (SELECT groupArray(toInt64(toUnixTimestamp(bucket))) FROM (${page})) AS page, ${goneSql(latePostsSql(within, asked))}
SELECT *, toDateTime(b, 'UTC') AS bucket FROM (${filled}) WHERE b >= page[1])`;
}
