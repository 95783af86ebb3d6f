import type { ReadEngine } from "../../definition/served-keyed.ts";
import { isIn, wordsOf } from "../../definition/filter.ts";
import { bind, joined, sql, type Bound, type Sql, fromDefinition, name } from "../../definition/sql.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { readRemovals, visibleSql, REACTION_IS_VISIBLE } from "./removals.ts";
import { socialReactions } from "../../tables/social-reactions.ts";

export const POST_KEY: Sql = sql`ts, source, id`;

const VERSIONS: Sql = name(`${socialPosts.name}_versions`);
const WORDS: Sql = fromDefinition(socialPosts.columns["words"]?.materialized ?? "''");

/**
 * Posts in their newest version, or in that of a snapshot (microseconds since 1970): rows replaced since are read from
 * the versions kept for it. `range` is a condition on the key alone, `chosen` on any column.
 */
export function postsAt(columns: Sql, range: Sql, chosen: Sql, snapshot: Bound | undefined): Sql {
  const newest = sql`SELECT ${columns} FROM ${socialPosts} FINAL WHERE ${range} AND ${chosen}`;
  if (snapshot === undefined) return newest;
  const at = bind("UInt64", snapshot.value);
  const since = sql`${range} AND superseded_at >= toDateTime(intDiv(${at}, 1000000), 'UTC')`;
  const kept = sql`SELECT *, ${WORDS} AS words FROM ${VERSIONS} WHERE ${since} AND version <= ${at} ORDER BY version DESC LIMIT 1 BY ${POST_KEY}`;
  const replaced = sql`SELECT ${POST_KEY} FROM ${socialPosts} WHERE ${range} AND version > ${at} AND (${POST_KEY}) IN (SELECT ${POST_KEY} FROM ${VERSIONS} WHERE ${since})`;
  return sql`${newest} AND version <= ${at} UNION ALL SELECT ${columns} FROM (${kept}) WHERE (${POST_KEY}) IN (${replaced}) AND ${chosen}`;
}

/** Filter of posts: any of the phrases, and one value of each other list. */
export type PostsRequested = {
  readonly phrases?: Bound | undefined;
  readonly conditions?: Bound | undefined;
  readonly sources?: Bound | undefined;
  readonly langs?: Bound | undefined;
  /** Microseconds since 1970: rows as stored at that time. */
  readonly snapshot?: Bound | undefined;
  /** A condition that excludes removed posts: see `visibleAmong`. */
  readonly visible?: Sql | undefined;
};

const AND = sql` AND `;

/** Posts about some of the markets, by key. */
function aboutSql(conditions: Bound, within: Sql, snapshot: Bound | undefined): Sql {
  const stored = snapshot ? [sql`version <= ${bind("UInt64", snapshot.value)}`] : [];
  const where = joined([isIn("condition_id", "condition", conditions), within, ...stored], AND);
  return sql`SELECT ts, source, post_id FROM ${socialMentions} WHERE ${where} GROUP BY condition_id, ts, source, post_id HAVING NOT argMax(is_gone, version)`;
}

/** Conditions on the key of a post, and on all of its columns. */
function conditionsOf(within: Sql, requested: PostsRequested): { readonly range: Sql; readonly chosen: Sql } {
  const { phrases, conditions, sources, langs, snapshot } = requested;
  const chosen = [
    ...(phrases ? [saysAny(phrases)] : []),
    ...(conditions ? [sql`(ts, source, id) IN (${aboutSql(conditions, within, snapshot)})`] : []),
    ...(langs ? [sql`has(${langs}, lang)`] : []),
    sql`1`,
  ];
  const range = [within, ...(sources ? [sql`has(${sources}, toString(source))`] : [])];
  return { range: joined(range, AND), chosen: joined(chosen, AND) };
}

/** The posts selected in a range of time (a condition on `ts`). */
export function requestedPostsSql(columns: Sql, within: Sql, requested: PostsRequested): Sql {
  const { range, chosen } = conditionsOf(within, requested);
  return sql`SELECT ${columns} FROM (${postsAt(columns, range, chosen, requested.snapshot)}) WHERE ${requested.visible ?? sql`1`}`;
}

/** `id`, `author` and `ingested_at` of the selected posts, and of some more: in any version, removed or not. */
export function perhapsRequestedSql(within: Sql, requested: PostsRequested): Sql {
  const { range, chosen } = conditionsOf(within, requested);
  const columns = sql`id, author, ingested_at`;
  // A text that changed during a walk may match only in its older version.
  if (requested.snapshot !== undefined)
    return sql`SELECT ${columns} FROM (${postsAt(sql`${POST_KEY}, author, ingested_at`, range, chosen, requested.snapshot)})`;
  return sql`SELECT ${columns} FROM ${socialPosts} WHERE ${range} AND ${chosen}`;
}

/** Reads which of the posts selected in a range of time were removed, for `PostsRequested.visible`. */
export const visibleAmong = async (
  read: ReadEngine,
  within: Sql,
  requested: PostsRequested,
): Promise<{ readonly visible: Sql }> => ({
  visible: visibleSql(await readRemovals(read.rows, perhapsRequestedSql(within, requested))),
});

/**
 * Matches rows with `words` (see stored.words) that contain one of the phrases, word for word; uses the index on words
 * if available.
 */
function saysAny(phrases: Bound): Sql {
  if (!Array.isArray(phrases.value)) throw new TypeError("not a list of phrases");
  const all = [...new Set((phrases.value as string[]).map((phrase) => wordsOf(phrase).join(" ")))];
  const single = all.filter((phrase) => phrase !== "" && !phrase.includes(" "));
  const longer = all.filter((phrase) => phrase.includes(" "));
  const conditions = [
    ...(single.length > 0 ? [sql`hasAnyTokens(words, ${bind("Array(String)", single)})`] : []),
    ...longer.map((phrase) => {
      const words = bind("Array(String)", [...new Set(phrase.split(" "))]);
      return sql`(hasAllTokens(words, ${words}) AND position(concat(words, ' '), ${bind("String", ` ${phrase} `)}) > 0)`;
    }),
  ];
  return conditions.length === 0 ? sql`0` : sql`(${joined(conditions, sql` OR `)})`;
}

/**
 * Likes, reposts, replies and quotes of posts, if the source reports them individually: `of_source`, `of_post` and a
 * count each, up to a time. `posts` gives the posts' ids.
 */
export function reactionCountsSql(posts: Sql, to: Sql, snapshot: Bound | undefined): Sql {
  const stored = snapshot ? [sql`ingested_at <= fromUnixTimestamp64Micro(${snapshot}, 'UTC')`] : [];
  const where = joined([sql`post_id IN (${posts})`, sql`ts <= ${to}`, REACTION_IS_VISIBLE, ...stored], sql` AND `);
  return sql`SELECT source AS of_source, post_id AS of_post, countIf(kind = 'like') AS likes, countIf(kind = 'repost') AS reposts, countIf(kind = 'reply') AS replies, countIf(kind = 'quote') AS quotes
FROM ${socialReactions} WHERE ${where} GROUP BY source, post_id`;
}

/** A quotient of integers as a decimal of twelve places, without floats in between; null if the divisor is 0. */
export const shareOf = (part: Sql, whole: Sql): Sql =>
  sql`if(${whole} = 0, NULL, toDecimal128(${part}, 12) / toInt128(greatest(${whole}, 1)))`;
