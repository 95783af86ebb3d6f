import type { Asking, OrderKey } from "../../definition/dataset.ts";
import { hexOf } from "../../definition/filter.ts";
import { bind, joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { requestedPostsSql, type PostsRequested, POST_KEY, postsAt, reactionCountsSql } from "./posts-sql.ts";

/** A window of whole hours that ends at `to`, inclusive; its start is exclusive. */
export type PulseWindow = { readonly to: Sql; readonly hours: Bound };

const BY_POST = copyOf(socialMentions, "social_mentions_by_post");
const POST: Sql = sql`ts, source, id, created_on, author, username, url, body, lang, like_count, retweet_count, reply_count, quote_count, sentiment, stance`;
const KEYS: Sql = sql`SELECT k.1 AS ts, k.2 AS source, k.3 AS id FROM (SELECT arrayJoin(page) AS k)`;
const ON_PAGE: Sql = sql`ts >= arrayMin(k -> k.1, page) AND ts <= arrayMax(k -> k.1, page)`;

/** Markets of the page's posts: `of_ts`, `of_source`, `of_post`, `condition_ids`. */
function mentionsSql(snapshot: Bound | undefined): Sql {
  const stored = snapshot ? [sql`version <= ${bind("UInt64", snapshot.value)}`] : [];
  const where = joined([ON_PAGE, sql`(ts, source, post_id) IN (${KEYS})`, ...stored], sql` AND `);
  const each = sql`SELECT ts, source, post_id, condition_id FROM ${BY_POST} WHERE ${where} GROUP BY ts, source, post_id, condition_id HAVING NOT argMax(is_gone, version)`;
  return sql`SELECT ts AS of_ts, source AS of_source, post_id AS of_post, arraySort(groupArray(${hexOf(sql`condition_id`)})) AS condition_ids FROM (${each}) GROUP BY ts, source, post_id`;
}

/** Condition that the time of a post is in the window. */
export const withinSql = ({ to, hours }: PulseWindow): Sql =>
  sql`ts > ${to} - toIntervalHour(${hours}) AND ts <= ${to}`;

/**
 * One page of the selected posts, each with `posts`, `authors`, `last_hour` and `last_six` of the whole window: all
 * posts are found by their words alone, and only the page's are read in full.
 */
export function pulsePageSql(
  requested: PostsRequested,
  window: PulseWindow,
  asking: Asking,
  order: readonly OrderKey[],
): Sql {
  const { to } = window;
  const figures = sql`count() OVER () AS posts, uniqExact((source, author)) OVER () AS authors, countIf(ts > ${to} - toIntervalHour(1)) OVER () AS last_hour, countIf(ts > ${to} - toIntervalHour(6)) OVER () AS last_six`;
  const all = sql`SELECT ${POST_KEY}, ${figures} FROM (${requestedPostsSql(sql`${POST_KEY}, author`, withinSql(window), requested)})`;
  const sorted = joined(
    order.map(({ by, direction }) => sql`${by} ${direction === "asc" ? sql`ASC` : sql`DESC`}`),
    sql`, `,
  );
  const beyond = joined([asking.after(order), sql`1`], sql` AND `);
  const page = sql`SELECT * FROM (${all}) WHERE ${beyond} ORDER BY ${sorted} LIMIT ${bind("UInt64", asking.rows)} OFFSET ${bind("UInt64", asking.offset)}`;
  const posts = postsAt(POST, sql`${ON_PAGE} AND (${POST_KEY}) IN (${KEYS})`, sql`1`, requested.snapshot);
  const reactions = reactionCountsSql(sql`SELECT arrayJoin(page).3`, to, requested.snapshot);
  return sql`(WITH (SELECT groupArray((${POST_KEY}, posts, authors, last_hour, last_six)) FROM (${page})) AS page
SELECT ${POST}, page[1].4 AS posts, page[1].5 AS authors, page[1].6 AS last_hour, page[1].7 AS last_six,
ifNull(likes, 0) AS liked, ifNull(reposts, 0) AS reposted, ifNull(replies, 0) AS replied, ifNull(quotes, 0) AS quoted, condition_ids
FROM (${posts}) AS p LEFT JOIN (${reactions}) AS r ON r.of_source = p.source AND r.of_post = p.id
LEFT JOIN (${mentionsSql(requested.snapshot)}) AS m ON m.of_source = p.source AND m.of_ts = p.ts AND m.of_post = p.id)`;
}
