import { defineDerivation, type DerivationReader, type Rebuild } from "../definition/derivation.ts";
import { bind, sql, type Bound, type Sql } from "../definition/sql.ts";
import { copyOf, type InsertRow } from "../definition/table.ts";
import { socialMentions as mentions } from "../tables/social-mentions.ts";
import { socialPosts } from "../tables/social-posts.ts";
import { dayOfMs, matcherOf, refreshDay } from "./social/dictionary.ts";
import { readRemovals, visibleSql } from "./social-read/removals.ts";

const BUCKET_SECONDS = 60;
/** Minutes always read together; more are added only while they have no more than `MAX_POSTS` posts. */
const SLICE_MINUTES = 10;
const MAX_POSTS = 10_000;
/** Longest span of a slice, because a slice of minutes far apart reads everything between them. */
const MAX_SECONDS = 21_600;
/** Lookback in which posts are matched again when a market is added. */
const AGAIN_MS = 3_600_000;

/** Posts → which of the markets that were open at their time they are about. */
export const socialMentionsFromPosts = defineDerivation({
  name: "social-mentions",
  title: "Posts about markets",
  from: socialPosts,
  into: mentions,
  timestamp: "ts",
  bucketSeconds: BUCKET_SECONDS,
  gatherSeconds: 10,
  marksGone: true,
  rows: mentionsOf,
  again: { everySeconds: 300, starts: startsAgain },
});

type PostRow = {
  readonly source: string;
  readonly id: string;
  readonly ts: string;
  readonly author: string;
  readonly body: string;
};
type MentionRow = {
  readonly condition_id: string;
  readonly ts: string;
  readonly source: string;
  readonly post_id: string;
  readonly author: string;
  readonly event_slug: string;
  readonly term: string;
};

async function* mentionsOf(buckets: Rebuild, reader: DerivationReader): AsyncGenerator<readonly InsertRow[]> {
  for await (const slice of slicesOf(await minutesOf(buckets, reader), reader)) {
    const [posts, stored] = [await readPosts(slice, reader), await reader.read<MentionRow>(storedOf(slice))];
    if (posts.length === 0 && stored.length === 0) continue;
    const made = await matchAll(posts, reader);
    const keys = new Set(made.map(keyOf));
    const gone = stored.filter((row) => !keys.has(keyOf(row))).map((row) => Object.assign({}, row, { is_gone: true }));
    yield [...made.map((row) => Object.assign({}, row, { is_gone: false })), ...gone];
  }
}

const keyOf = ({ condition_id, ts, source, post_id }: MentionRow): string =>
  [condition_id, ts, source, post_id].join(" ");

async function matchAll(posts: readonly PostRow[], reader: DerivationReader): Promise<MentionRow[]> {
  const made: MentionRow[] = [];
  for (const { source, id, ts, author, body } of posts) {
    const tsMs = Number(ts);
    const matcher = await matcherOf(reader, dayOfMs(tsMs));
    for (const mention of matcher.match(body, tsMs)) {
      made.push({ ...mention, ts: new Date(tsMs).toISOString(), source, post_id: id, author });
    }
  }
  return made;
}

/** The minutes to be rebuilt (Unix seconds, ascending); of a range only those with posts or mentions. */
async function minutesOf({ from, to, starts }: Rebuild, { read }: DerivationReader): Promise<readonly number[]> {
  return starts ?? (await read<{ start: string }>(minutesIn(from, to))).map(({ start }) => Number(start));
}

/** Minutes that are read together. */
async function* slicesOf(minutes: readonly number[], reader: DerivationReader): AsyncGenerator<readonly number[]> {
  for (let from = 0, to = 0; from < minutes.length; from = to) {
    const end = (minutes[from] as number) + MAX_SECONDS;
    to = minutes.findIndex((minute, index) => index > from && minute >= end);
    if (to === -1) to = minutes.length;
    yield* slicesWithin(minutes.slice(from, to), reader);
  }
}

async function* slicesWithin(
  minutes: readonly number[],
  { read }: DerivationReader,
): AsyncGenerator<readonly number[]> {
  if (minutes.length <= SLICE_MINUTES) {
    yield minutes;
    return;
  }
  const rows = await read<{ start: string; posts: string }>(countsOf(minutes));
  const postsOfMinute = new Map(rows.map(({ start, posts }) => [Number(start), Number(posts)]));
  let [slice, posts]: [number[], number] = [[], 0];
  for (const minute of minutes) {
    const more = postsOfMinute.get(minute) ?? 0;
    if (slice.length >= SLICE_MINUTES && posts + more > MAX_POSTS) {
      yield slice;
      [slice, posts] = [[], 0];
    }
    slice.push(minute);
    posts += more;
  }
  yield slice;
}

function countsOf(minutes: readonly number[]): Sql {
  const start = minuteOf(bind("UInt32", BUCKET_SECONDS));
  return sql`SELECT toString(${start}) AS start, toString(count()) AS posts FROM ${socialPosts} WHERE ${inMinutes(minutes)} GROUP BY start`;
}

function minutesIn(from: string, to: string): Sql {
  const size = bind("UInt32", BUCKET_SECONDS);
  const within = sql`ts >= toDateTime64(${bind("String", from)}, 3, 'UTC') AND ts < toDateTime64(${bind("String", to)}, 3, 'UTC')`;
  const start = sql`${minuteOf(size)} AS start`;
  const byPost = copyOf(mentions, "social_mentions_by_post");
  return sql`SELECT DISTINCT toString(start) AS start FROM (SELECT ${start} FROM ${socialPosts} WHERE ${within} UNION ALL SELECT ${start} FROM ${byPost} WHERE ${within}) ORDER BY toUInt32(start)`;
}

const minuteOf = (size: Bound): Sql => sql`intDiv(toUnixTimestamp(ts), ${size}) * ${size}`;

/** Condition that a row is in one of these minutes. */
function inMinutes(minutes: readonly number[]): Sql {
  const [from, to] = [minutes[0] ?? 0, (minutes.at(-1) ?? 0) + BUCKET_SECONDS];
  const within = sql`ts >= fromUnixTimestamp64Milli(${bind("Int64", from * 1000)}, 'UTC') AND ts < fromUnixTimestamp64Milli(${bind("Int64", to * 1000)}, 'UTC')`;
  if (to - from === minutes.length * BUCKET_SECONDS) return within;
  return sql`${within} AND ${minuteOf(bind("UInt32", BUCKET_SECONDS))} IN ${bind("Array(UInt32)", minutes)}`;
}

/** Posts that were not removed. */
async function readPosts(minutes: readonly number[], { read }: DerivationReader): Promise<PostRow[]> {
  const within = inMinutes(minutes);
  const removals = await readRemovals(read, sql`SELECT id, author, ingested_at FROM ${socialPosts} WHERE ${within}`);
  return read(
    sql`SELECT toString(source) AS source, id, toString(toUnixTimestamp64Milli(p.ts)) AS ts, author, body FROM ${socialPosts} AS p FINAL WHERE ${within} AND ${visibleSql(removals)}`,
  );
}

const storedOf = (minutes: readonly number[]): Sql =>
  sql`SELECT concat('0x', lower(hex(condition_id))) AS condition_id, formatDateTime(m.ts, '%Y-%m-%dT%H:%i:%S.', 'UTC') || leftPad(toString(toUnixTimestamp64Milli(m.ts) % 1000), 3, '0') || 'Z' AS ts, toString(source) AS source, post_id, author, event_slug, term
FROM ${copyOf(mentions, "social_mentions_by_post")} AS m FINAL WHERE ${inMinutes(minutes)} AND NOT is_gone`;

/** The minutes in the last hour of posts in which markets added since were open. */
async function startsAgain(reader: DerivationReader): Promise<number[]> {
  const [row] = await reader.read<{ last: string }>(
    sql`SELECT toString(toUnixTimestamp64Milli(max(ts))) AS last FROM ${socialPosts}`,
  );
  const last = Number(row?.last ?? 0);
  if (last === 0) return [];
  const opened: number[] = [];
  // After midnight the hour spans two days, each with a dictionary of its own.
  for (const day of new Set([dayOfMs(last - AGAIN_MS), dayOfMs(last)])) {
    const first = await refreshDay(reader, day);
    if (first !== undefined) opened.push(first);
  }
  if (opened.length === 0) return [];
  const size = BUCKET_SECONDS * 1000;
  const from = Math.floor(Math.max(Math.min(...opened), last - AGAIN_MS) / size);
  return Array.from({ length: Math.floor(last / size) - from + 1 }, (_, index) => (from + index) * BUCKET_SECONDS);
}
