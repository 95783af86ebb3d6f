import type { StoredPosts } from "../definition/stored-by-streams.ts";
import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

/** Several days of a source that is looked at again. */
const MOST_POSTS = 100_000;

/** Answers a second look from the store. */
export function createStoredPosts(store: Pick<Store, "rows">): StoredPosts {
  return async (source, from, to) => {
    const [first, end, by] = [bind("Int64", from), bind("Int64", to), bind("String", source)];
    const within = sql`source = ${by} AND ts >= fromUnixTimestamp64Milli(${first}, 'UTC') AND ts < fromUnixTimestamp64Milli(${end}, 'UTC')`;
    const rows = await store.rows<{ id: string; ms: string }>(
      sql`SELECT id, toString(max(toUnixTimestamp64Milli(ts))) AS ms FROM social_posts WHERE ${within} AND id GLOBAL NOT IN (SELECT id FROM social_removals WHERE source = ${by} AND what = 'record') GROUP BY id ORDER BY id LIMIT ${bind("UInt32", MOST_POSTS + 1)}`,
    );
    if (rows.length > MOST_POSTS)
      throw new RangeError(`more than ${MOST_POSTS} posts of ${source} from ${from} to ${to}`);
    return rows.map(({ id, ms }) => ({ id, ts: Number(ms) }));
  };
}
