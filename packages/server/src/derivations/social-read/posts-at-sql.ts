import { bind, fromDefinition, name, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { socialPosts } from "../../tables/social-posts.ts";

export const POST_KEY: Sql = sql`ts, source, id`;

const VERSIONS: Sql = name(`${socialPosts.name}_versions`);
const WORDS: Sql = fromDefinition(socialPosts.columns["words"]?.materialized ?? "''");

/**
 * Posts in their newest version, or in that of a snapshot (microseconds since 1970): what was replaced since is taken
 * from the versions kept for that. `range` is a condition on the key alone, `chosen` on any column.
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
