import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { socialRemovals } from "../../tables/social-removals.ts";
import { algoliaHost } from "./hosts.ts";
import { findGone } from "./search/find-gone.ts";
import { toPost } from "./search/to-post.ts";
import { walkSlices } from "./search/walk-slices.ts";

/** When what was posted is looked at again, and how far behind a look may go on after a stop. */
const LOOKS = [
  { name: "hour", afterSeconds: 3600, mostBehindSeconds: 86_400 },
  { name: "day", afterSeconds: 86_400, mostBehindSeconds: 7 * 86_400 },
] as const;
const WIDTH = 3600;

/**
 * A second look at every story and comment after an hour and a third after a day: points and answers as they are then,
 * what showed late, and what is gone.
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
  for (const { name, afterSeconds } of LOOKS) places[name] = cursorNumber(options.cursor, name) ?? now - afterSeconds;
  for (const { name, afterSeconds, mostBehindSeconds } of LOOKS) {
    const to = now - afterSeconds;
    const from = Math.max(places[name] ?? to, to - mostBehindSeconds);
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
        ...step.told,
      };
    }
    places[name] = Math.max(places[name] ?? to, to);
  }
  // All that was to be looked at by then was.
  yield { rows: [], cursor: { ...places }, reached: ts, isCaughtUp: true };
}
