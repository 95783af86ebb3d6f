import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";

const MOST_POSTS = 300_000;
const MOST_MENTIONED = 200_000;
const MOST_REACTIONS = 300_000;
const MOST_HANDLES = 200_000;
/** How long posts about markets are followed, and for how long names are looked up. */
const FOLLOWED_MS = 7 * 86_400_000;
const REACTIONS_MS = 6 * 3_600_000;

export type BlueskyKnown =
  | "recent_bluesky_posts"
  | "mentioned_bluesky_posts"
  | "recent_bluesky_reactions"
  | "bluesky_handles";

const most = (count: number) => bind("UInt32", count);

/** What the walk of Bluesky remembers, as the store has it; oldest first, so that the newest is forgotten last. */
export function askBluesky(
  store: Store,
  venueNow: () => number,
): Record<BlueskyKnown, () => Promise<readonly string[]>> {
  const since = (ms: number) => bind("Int64", String(Math.floor(venueNow()) - ms));
  const ask = async (question: ReturnType<typeof sql>): Promise<readonly string[]> => {
    const rows = await store.rows<{ told: string }>(question);
    return rows.map(({ told }) => told).toReversed();
  };
  return {
    recent_bluesky_posts: () =>
      ask(
        sql`SELECT concat(id, ' ', toString(toUnixTimestamp64Milli(ts))) AS told FROM social_posts WHERE source = 'bluesky' AND ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') ORDER BY ts DESC LIMIT ${most(MOST_POSTS)}`,
      ),
    mentioned_bluesky_posts: () =>
      ask(
        sql`SELECT concat(post_id, ' ', toString(toUnixTimestamp64Milli(max(ts) AS last))) AS told FROM social_mentions_by_post WHERE ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') AND source = 'bluesky' AND NOT is_gone GROUP BY post_id ORDER BY last DESC LIMIT ${most(MOST_MENTIONED)}`,
      ),
    recent_bluesky_reactions: () =>
      ask(
        sql`SELECT concat(id, ' ', toString(toUnixTimestamp64Milli(ts))) AS told FROM social_reactions WHERE source = 'bluesky' AND ts >= fromUnixTimestamp64Milli(${since(REACTIONS_MS)}, 'UTC') ORDER BY ts DESC LIMIT ${most(MOST_REACTIONS)}`,
      ),
    bluesky_handles: () =>
      ask(
        sql`SELECT concat(author, ' ', argMax(username, ts)) AS told FROM social_posts WHERE source = 'bluesky' AND username != author AND ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') GROUP BY author ORDER BY max(ts) DESC LIMIT ${most(MOST_HANDLES)}`,
      ),
  };
}
