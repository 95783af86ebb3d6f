import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { algoliaHost } from "./hosts.ts";
import { readSlice, type SliceStep, walkSlices } from "./search/walk-slices.ts";
import { toPost } from "./search/hit-posts.ts";

/** When posts are read again, and how far a recheck may lag after a downtime. */
const LOOKS = [
  { name: "hour", afterSeconds: 3600, maxBehindSeconds: 86_400 },
  { name: "day", afterSeconds: 86_400, maxBehindSeconds: 7 * 86_400 },
] as const;
const WIDTH = 3600;
/** A place further ahead than this was saved while the clock was ahead: the posts before it were read too early. */
const AHEAD_SECONDS = 60;

/**
 * Reads every story and comment again after an hour and after a day: current points and replies, items indexed late,
 * and removals.
 */
export const hackernewsRecheckStream = definePull({
  name: "hackernews-recheck",
  title: "Later counts and removals of Hacker News",
  venue: "hackernews",
  host: algoliaHost,
  tables: [socialRemovals],
  addsTo: [socialPosts],
  everySeconds: 300,
  canBackfill: false,
  isPatient: true,
  pull: lookAgain,
});

async function* lookAgain(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const now = Math.floor(options.now() / 1000);
  const ts = new Date(now * 1000).toISOString();
  const places: Record<string, number> = {};
  for (const { name, afterSeconds } of LOOKS) {
    const [due, saved] = [now - afterSeconds, cursorNumber(options.cursor, name)];
    places[name] = saved === undefined ? due : saved > due + AHEAD_SECONDS ? due - afterSeconds : saved;
  }
  for (const { name, afterSeconds, maxBehindSeconds } of LOOKS) {
    const to = now - afterSeconds;
    const from = Math.max(places[name] ?? to, to - maxBehindSeconds);
    for await (const step of walkSlices(options, { from, to }, WIDTH)) {
      const gone = await findGone(options, step);
      const removal = (id: string) => ({ source: "hackernews", what: "record", id, ts, reason: "deleted" });
      places[name] = step.slice.to;
      yield {
        rows: [
          { table: socialPosts, rows: step.hits.map(toPost) },
          { table: socialRemovals, rows: gone.map(removal) },
        ],
        cursor: { ...places },
        ...step.reported,
      };
    }
    places[name] = Math.max(places[name] ?? to, to);
  }
  // Everything due by now has been read again.
  yield { rows: [], cursor: { ...places }, reached: ts, isCaughtUp: true };
}

/** Far more than moderators and authors remove within an hour. */
const MAX_SECONDS = 500;

/**
 * Stored posts of a slice that no longer exist. A removal is permanent, so one reply that lacks a post is not enough:
 * each second with a missing post is requested once more.
 */
async function findGone(
  options: Pick<PullOptions, "feed" | "signal" | "storedPosts">,
  { slice, hits, isSure }: SliceStep,
): Promise<readonly string[]> {
  if (!isSure || options.storedPosts === undefined) return [];
  const there = new Set(hits.map(({ objectID }) => objectID));
  const stored = await options.storedPosts("hackernews", slice.from * 1000, slice.to * 1000);
  const missing = Map.groupBy(
    stored.filter(({ id }) => !there.has(id)),
    ({ ts }) => Math.floor(ts / 1000),
  );
  if (missing.size > MAX_SECONDS) {
    throw new Error(`${missing.size} seconds of Hacker News lost posts at once: rejected as implausible`);
  }
  const gone: string[] = [];
  for (const [second, posts] of missing) {
    const again = await readSlice(options, { from: second, to: second + 1 });
    const found = new Set(again.hits.map(({ objectID }) => objectID));
    if (again.isSure) gone.push(...posts.map(({ id }) => id).filter((id) => !found.has(id)));
  }
  return gone;
}
