import { joined, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { REACTION_IS_VISIBLE } from "./removals.ts";

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
