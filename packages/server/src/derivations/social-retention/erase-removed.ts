import type { RefreshStore, Sweep } from "../../definition/regular-jobs.ts";
import { bind, fromDefinition, joined, sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { socialErasures } from "../../tables/social-erasures.ts";
import { socialMentions } from "../../tables/social-mentions.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialReactions } from "../../tables/social-reactions.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { ERASED_THROUGH, HIDES_UNTIL, REACTOR } from "../social-read/removals.ts";
import { deleteWhere, erasePosts, eraseReactions, hashOf, type FoundPost } from "./erase-rows.ts";

/** Margin for rows with an older timestamp that are still being inserted. */
const MARGIN_SECONDS = 60;
const MAX_POSTS = 20_000;
const MAX_REACTIONS = 20_000;

const OR = sql` OR `;
const POST_HASH = fromDefinition(hashOf("id"));
const MENTION_HASH = fromDefinition(hashOf("post_id"));
const MENTIONS = copyOf(socialMentions, "social_mentions_by_post");
/** Versions of mentions are the microseconds of their insert. */
const MENTIONED_SINCE = sql`fromUnixTimestamp64Micro(toInt64(version), 'UTC') > ${ERASED_THROUGH}`;

/** Removals to apply: those stored since the last run, and those of rows stored since. */
const removed = (what: Sql, lately: Sql): Sql =>
  sql`SELECT source, id, ${HIDES_UNTIL} AS until FROM ${socialRemovals} WHERE what = ${what} AND (ingested_at > ${ERASED_THROUGH} OR id IN (${lately}))`;

const latePosts = (column: Sql): Sql => sql`SELECT ${column} FROM ${socialPosts} WHERE ingested_at > ${ERASED_THROUGH}`;
const lateReactions = (column: Sql): Sql =>
  sql`SELECT ${column} FROM ${socialReactions} WHERE ingested_at > ${ERASED_THROUGH}`;
const lateMentions = (column: Sql): Sql => sql`SELECT ${column} FROM ${MENTIONS} WHERE ${MENTIONED_SINCE}`;

/** Condition for rows of a table that were removed by themselves, or with their author. */
function isRemoved(id: Sql, author: Sql, late: (column: Sql) => Sql): Sql {
  const authors = sql`SELECT source, id, max(until) AS until FROM (${removed(sql`'author'`, late(author))}) GROUP BY source, id`;
  const conditions = [
    sql`(source, ${id}) IN (SELECT source, id FROM (${removed(sql`'record'`, late(id))}))`,
    sql`((source, ${author}) IN (SELECT source, id FROM (${authors})) AND ts <= (SELECT mapFromArrays(groupArray(concat(toString(source), ' ', id)), groupArray(until)) FROM (${authors}))[concat(toString(source), ' ', ${author})])`,
  ];
  return sql`(${joined(conditions, OR)})`;
}

const posts = sql`SELECT DISTINCT ${POST_HASH} AS hash, toString(toDate(ts)) AS day FROM ${socialPosts} WHERE ${isRemoved(sql`id`, sql`author`, latePosts)} LIMIT ${bind("UInt32", MAX_POSTS)}`;
/** Mentions may be written after their post was erased, by a process that had read the post before. */
const mentions = sql`SELECT DISTINCT ${MENTION_HASH} AS hash, toString(toDate(ts)) AS day FROM ${MENTIONS} WHERE ${MENTIONED_SINCE} AND ${isRemoved(sql`post_id`, sql`author`, lateMentions)} LIMIT ${bind("UInt32", MAX_POSTS)}`;
const reactions = sql`SELECT DISTINCT ${POST_HASH} AS hash FROM ${socialReactions} WHERE ${isRemoved(sql`id`, REACTOR, lateReactions)} LIMIT ${bind("UInt32", MAX_REACTIONS)}`;

/** Applies removals to the tables: the named posts and authors are deleted, with their mentions and reactions. */
export async function eraseRemoved(store: RefreshStore): Promise<{ readonly rows: number; readonly isDone: boolean }> {
  const [at] = await store.rows<{ until: string }>(
    sql`SELECT toString(now64(6, 'UTC') - toIntervalSecond(${bind("UInt32", MARGIN_SECONDS)})) AS until`,
  );
  // Watermarks ahead of the clock, which was set back since: what is stored from now on has earlier stamps.
  await deleteWhere(store, sql`${socialErasures}`, sql`through > now64(6, 'UTC')`);
  const stored = await store.rows<FoundPost>(posts);
  const mentioned = await store.rows<FoundPost>(mentions);
  const found = [...new Map([...stored, ...mentioned].map((post) => [`${post.hash} ${post.day}`, post])).values()];
  const reacted = await store.rows<{ hash: string }>(reactions);
  await erasePosts(store, found);
  await eraseReactions(
    store,
    reacted.map(({ hash }) => hash),
  );
  const rows = found.length + reacted.length;
  const isDone = Math.max(stored.length, mentioned.length) < MAX_POSTS && reacted.length < MAX_REACTIONS;
  if (isDone && at) await store.insert(socialErasures, [{ through: `${at.until.replace(" ", "T")}Z`, erased: rows }]);
  return { rows, isDone };
}

export const erasureSweep: Sweep = {
  name: "social-erasure",
  title: "Removed posts and reactions",
  of: socialPosts,
  everySeconds: 300,
  sweep: eraseRemoved,
};
