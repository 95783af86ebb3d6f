import { Registry } from "prom-client";
import { blueskyPosts } from "../../../src/connectors/bluesky/posts.ts";
import { sql } from "../../../src/definition/sql.ts";
import type { Clock } from "../../../src/ingest/clock.ts";
import { startIngest } from "../../../src/ingest/schedule.ts";
import type { openEngines } from "../../ingest/open-engines.ts";
import { quickClock } from "../../ingest/clocks.ts";

type Engines = Awaited<ReturnType<typeof openEngines>>;

/** Waits a fifth as long, so that frames are batched and sockets reopened sooner. */
export const quick: Clock = quickClock(5);

/** Runs the stream alone, as the service runs it. */
export function gatherBluesky(engines: Engines, url: string, time: { clock?: Clock; venueNow?: () => number } = {}) {
  return startIngest({
    ...engines,
    connectors: [blueskyPosts],
    derivations: [],
    settings: { BLUESKY_JETSTREAM_URL: url },
    metrics: new Registry(),
    clock: quick,
    ...time,
    signal: new AbortController().signal,
  });
}

/** Time (Unix ms) up to which the stream is complete; 0 if it has nothing. */
export async function reachedBy(ingest: ReturnType<typeof gatherBluesky>): Promise<number> {
  return Date.parse((await ingest.status()).streams[0]?.reached ?? "1970-01-01");
}

/** Returns the stored rows in short form. */
export async function readSocial({ store }: Pick<Engines, "store">) {
  const [posts, reactions, removals] = await Promise.all([
    store.rows<{ id: string; ms: string; body: string; username: string; lang: string; created: string }>(
      sql`SELECT id, toString(toUnixTimestamp64Milli(ts)) AS ms, body, username, lang, toString(toUnixTimestamp64Milli(created_on)) AS created FROM social_posts FINAL ORDER BY ts, id`,
    ),
    store.rows<{ id: string; kind: string; post_id: string }>(
      sql`SELECT id, kind, post_id FROM social_reactions ORDER BY ts, id, kind`,
    ),
    store.rows<{ id: string; what: string; reason: string }>(
      sql`SELECT id, what, reason FROM social_removals ORDER BY ts, id`,
    ),
  ]);
  return { posts, reactions, removals };
}
