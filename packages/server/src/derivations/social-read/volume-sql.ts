import type { Asking } from "../../definition/dataset.ts";
import type { Span } from "../../definition/spans.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import {
  requestedPostsSql,
  perhapsRequestedSql,
  type PostsRequested,
  POST_KEY,
  reactionCountsSql,
} from "./posts-sql.ts";

/** Buckets of `seconds` seconds between two timestamps (microseconds since 1970); the last one is cut at the end. */
export type VolumeRange = { readonly fromMicros: number; readonly toMicros: number; readonly seconds: number };

/** A number of buckets from the second `first` on, and the condition for the posts in them and in the one before. */
type VolumePage = { readonly first: number; readonly buckets: number; readonly within: Sql };

/** Periods in which each of the requested sources was gathered, by name, and in which any of them was. */
export type Gathered = {
  readonly each: readonly { readonly source: string; readonly spans: readonly Span[] }[];
  readonly any: readonly Span[];
};

/** A source that lags by less than this does not count as down. */
const LAG_MS = 60_000;
const EVER_MS = 0;
const MICROS = 1_000_000;

const millis = (spans: readonly Span[], end: "from" | "to"): Bound =>
  bind(
    "Array(Int64)",
    spans.map((span) => Math.trunc(Math.max(EVER_MS, span[end]))),
  );

/** Milliseconds between a time and the end of a bucket that are covered by the spans. */
const heldMs = (spans: readonly Span[], from: Sql): Sql =>
  spans.length === 0
    ? sql`toInt64(0)`
    : sql`arraySum((f, t) -> greatest(0, least(t, till_ms) - greatest(f, ${from})), ${millis(spans, "from")}, ${millis(spans, "to")})`;

/** Figures of the posts of one bucket, keyed by its first second `of_b`. */
function countedSql(within: Sql, range: VolumeRange, requested: PostsRequested): Sql {
  const size = bind("Int64", range.seconds);
  const to = sql`fromUnixTimestamp64Micro(${bind("Int64", range.toMicros)}, 'UTC')`;
  const posts = requestedPostsSql(
    sql`${POST_KEY}, author, sentiment, stance, like_count, retweet_count, reply_count, quote_count`,
    within,
    requested,
  );
  const reactions = reactionCountsSql(
    sql`SELECT id FROM (${perhapsRequestedSql(within, requested)})`,
    to,
    requested.snapshot,
  );
  return sql`SELECT intDiv(toInt64(toUnixTimestamp(ts)), ${size}) * ${size} AS of_b, count() AS posts, uniqExact((source, author)) AS authors,
sum(sentiment) AS polarity, count(sentiment) AS judged, toInt64(countIf(sentiment >= toDecimal64('0.05', 6))) - toInt64(countIf(sentiment <= toDecimal64('-0.05', 6))) AS balance,
countIf(stance = 'buy_yes') AS buying_yes, countIf(stance = 'buy_no') AS buying_no, countIf(stance = 'up') AS going_up, countIf(stance = 'down') AS going_down,
sum(toInt64(like_count) + ifNull(likes, 0) + 2 * (toInt64(retweet_count) + ifNull(reposts, 0)) + toInt64(reply_count) + ifNull(replies, 0) + toInt64(quote_count) + ifNull(quotes, 0)) AS engagement
FROM (${posts}) AS p LEFT JOIN (${reactions}) AS r ON r.of_source = p.source AND r.of_post = p.id GROUP BY of_b`;
}

/** The buckets of a page, and the condition for the posts it counts, including those of the bucket before it. */
export function pageOf({ fromMicros, toMicros, seconds }: VolumeRange, { rows, offset, place }: Asking): VolumePage {
  const bucketAt = (micros: number): number => Math.floor(micros / MICROS / seconds) * seconds;
  const after = place === undefined ? Number.NEGATIVE_INFINITY : Date.parse(String(place.after[0])) / 1000;
  const first = Math.max(bucketAt(fromMicros), after + seconds) + offset * seconds;
  const buckets = Math.max(0, Math.min(rows, (bucketAt(toMicros) - first) / seconds + 1));
  const [begin, end] = [bind("Int64", first - seconds), bind("Int64", first + buckets * seconds)];
  const within = sql`ts >= toDateTime(${begin}, 'UTC') AND ts < toDateTime(${end}, 'UTC') AND ts <= fromUnixTimestamp64Micro(${bind("Int64", toMicros)}, 'UTC')`;
  return { first, buckets, within };
}

/**
 * One page of buckets, including those without posts: `b` (first second), `bucket`, `till_ms` (its end, exclusive: in
 * the last one of a range, right after the millisecond in which the range ends), `covered_ms`, `down` (sources not
 * gathered throughout), the bucket's figures (0 without posts) and `posts_before`, `covered_before_ms`, of the bucket
 * before it.
 */
export function volumePageSql(range: VolumeRange, requested: PostsRequested, gathered: Gathered, asking: Asking): Sql {
  const { first, buckets, within } = pageOf(range, asking);
  const [size, begin] = [bind("Int64", range.seconds), bind("Int64", first)];
  const lag = bind("Int64", LAG_MS);
  // In a bucket shorter than the lag, a source is down if it was not gathered for as long as the lag.
  const since = sql`least(b * 1000, till_ms - ${lag})`;
  const down = gathered.each.map(
    ({ source, spans }) =>
      sql`if(${heldMs(spans, since)} < greatest(till_ms - b * 1000 - ${lag}, 1), ${bind("String", source)}, '')`,
  );
  const each = sql`SELECT ${begin} + (toInt64(number) - 1) * ${size} AS b, least((b + ${size}) * 1000, ${bind("Int64", Math.floor(range.toMicros / 1000) + 1)}) AS till_ms,
${heldMs(gathered.any, sql`b * 1000`)} AS covered_ms, arrayFilter(name -> name != '', [${joined([...down, sql`''`], sql`, `)}]) AS down FROM numbers(${bind("UInt64", buckets + 1)})`;
  const filled = sql`SELECT *, lagInFrame(posts, 1, 0) OVER before AS posts_before, lagInFrame(covered_ms, 1, 0) OVER before AS covered_before_ms
FROM (SELECT * FROM (${each}) AS k LEFT JOIN (${countedSql(within, range, requested)}) AS c ON c.of_b = k.b)
WINDOW before AS (ORDER BY b ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`;
  return sql`(SELECT *, toDateTime(b, 'UTC') AS bucket FROM (${filled}) WHERE b >= ${begin})`;
}
