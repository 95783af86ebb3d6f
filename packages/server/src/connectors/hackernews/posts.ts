import { definePull, type Batch, type PullOptions } from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { algoliaHost } from "./hosts.ts";
import { hitsWire, toPost } from "./search/hit-posts.ts";
import { gapOfShort, walkSlices } from "./search/walk-slices.ts";

/** Overlap in seconds that each cycle reads again, for items that are indexed late. */
const OVERLAP_SECONDS = 300;
/** Items are indexed within this time; later ones are found by the recheck. */
const SETTLE_SECONDS = 30;
/** How far back the very first cycle goes. */
const FIRST_SECONDS = 3600;
/** Contains some 600 items. */
const FIRST_WIDTH = 3600;

/** Every story and comment, without a search term, so that any word can be queried later. */
export const hackernewsPostsStream = definePull({
  name: "hackernews-posts",
  title: "Stories and comments of Hacker News",
  venue: "hackernews",
  host: algoliaHost,
  tables: [socialPosts],
  everySeconds: 30,
  canBackfill: true,
  settleSeconds: SETTLE_SECONDS,
  pull: (options) => (options.range ? pastPosts(options, options.range) : newPosts(options)),
  replay: ({ read }) => [{ table: socialPosts, rows: read(hitsWire).hits.map(toPost) }],
});

async function* newPosts(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const now = Math.floor(options.now() / 1000);
  const saved = cursorNumber(options.cursor, "last");
  // A cursor ahead of now was saved while the clock was ahead: how far the walk really got is not known.
  const begin = saved === undefined || saved - OVERLAP_SECONDS > now ? now - FIRST_SECONDS : saved;
  const since = saved === undefined ? { since: isoOf(begin) } : {};
  const reached = (second: number): string => isoOf(Math.max(begin, second) - SETTLE_SECONDS);
  const span = { from: Math.max(0, begin - OVERLAP_SECONDS), to: now + 1 };
  for await (const step of walkSlices(options, span, FIRST_WIDTH)) {
    const { slice, hits, reported } = step;
    const last = Math.max(begin, Math.min(slice.to, now));
    // Items of the overlap are already stored: their later counts come with the recheck.
    const rows = [{ table: socialPosts, rows: hits.map(toPost), mode: "if_absent" as const }];
    yield { rows, cursor: { last }, reached: reached(last), ...since, ...reported, ...gapOfShort(step) };
  }
  yield { rows: [], cursor: { last: Math.max(begin, now) }, isCaughtUp: true };
}

/** A backfill range, oldest first, with counts as of now. */
async function* pastPosts(
  options: PullOptions,
  range: { readonly from: string; readonly to: string },
): AsyncGenerator<Batch, void, void> {
  const first = Math.floor(Date.parse(range.from) / 1000);
  const end = Math.min(Math.ceil(Date.parse(range.to) / 1000), Math.floor(options.now() / 1000) + 1);
  const at = cursorNumber(options.cursor, "at") ?? first;
  const from = at >= first && at <= end ? at : first;
  const width = cursorNumber(options.cursor, "width") ?? FIRST_WIDTH;
  for await (const step of walkSlices(options, { from, to: end }, width)) {
    const { slice, hits, reported } = step;
    yield {
      rows: [{ table: socialPosts, rows: hits.map(toPost) }],
      cursor: { at: slice.to, width: step.width },
      since: range.from,
      reached: isoOf(slice.to),
      ...reported,
      ...gapOfShort(step),
    };
  }
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();
