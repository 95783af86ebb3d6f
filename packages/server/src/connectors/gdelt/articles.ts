import { MIB } from "../../definition/upstream-bounds.ts";
import { definePull, type Batch, type PullOptions, type Host } from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { articlesWire, parseBody, toPost } from "./search/article-posts.ts";
import { readArticles, toQuery } from "./search/read-articles.ts";

/**
 * GDELT's document search. It allows one call in 5 seconds and has shed load for weeks for all clients, so the breaker
 * pauses it for a while when it fails.
 */
export const gdeltHost: Host = {
  name: "gdelt",
  setting: "GDELT_URL",
  maxBytes: 2 * MIB,
  limits: { all: { tokens: 1, perSeconds: 5 } },
  share: 0.8,
  parse: parseBody,
  breaker: { failures: 5, firstSeconds: 300, maxSeconds: 3600 },
};

/** Terms queried in a round, and in a cycle: at one call in 6 seconds a round takes six minutes. */
const MAX_TERMS = 60;
const TERMS_PER_CYCLE = 8;
/** GDELT crawls every quarter of an hour and lists articles later. */
const OVERLAP_MS = 3_600_000;
/** Published articles are listed within this time. */
const SETTLE_MS = 20 * 60_000;
const FIRST_MS = 6 * 3_600_000;
/** After a downtime, at most this much is caught up. */
const MAX_BACK_MS = 3 * 86_400_000;

/**
 * Articles about the largest open markets, as far as GDELT can be reached: each term in turn, from the start of the
 * previous round. A term that is new in a round is queried from there on only.
 */
export const gdeltArticlesStream = definePull({
  name: "gdelt-articles",
  title: "News articles found by GDELT",
  venue: "gdelt",
  host: gdeltHost,
  tables: [socialPosts],
  isSelective: true,
  holdsOnly: "articles that name what one of the largest open markets is about, as far as GDELT can be reached",
  everySeconds: 60,
  canBackfill: false,
  pull,
  replay: ({ read }) => [{ table: socialPosts, rows: (read(articlesWire).articles ?? []).map(toPost) }],
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const queries = (await options.known("social_terms")).flatMap((term) => toQuery(term) ?? []).slice(0, MAX_TERMS);
  // Without terms nothing is queried: the next round continues from the previous one.
  if (queries.length === 0) return yield { rows: [], cursor: options.cursor ?? {}, isCaughtUp: true };
  const now = options.now();
  const saved = cursorNumber(options.cursor, "place") ?? 0;
  const isNew = saved === 0 || saved >= queries.length;
  // A time after now was saved while the clock was ahead.
  const savedAt = (field: string): number => Math.min(cursorNumber(options.cursor, field) ?? now - FIRST_MS, now);
  const before = savedAt("began");
  const began = isNew ? now : before;
  const from = isNew ? before : savedAt("from");
  const window = { from: Math.max(from - OVERLAP_MS, now - MAX_BACK_MS), to: now };
  let place = isNew ? 0 : saved;
  for (const query of queries.slice(place, place + TERMS_PER_CYCLE)) {
    const { articles, notices } = await readArticles(options, query, window);
    place += 1;
    const rows = [{ table: socialPosts, rows: articles.map(toPost), mode: "if_absent" as const }];
    yield { rows, notices, cursor: { place, from, began } };
  }
  const isOver = place >= queries.length;
  const reported = isOver ? reportRound({ from, began }, window.from) : {};
  yield { rows: [], cursor: { place: isOver ? 0 : place, from, began }, ...reported, isCaughtUp: true };
}

const iso = (timestamp: number): string => new Date(timestamp).toISOString();

/** Every term was queried from `requested` up to the round's start; the latest articles before it may not be listed yet. */
function reportRound(
  { from, began }: { readonly from: number; readonly began: number },
  requested: number,
): Pick<Batch, "reached" | "since" | "gap"> {
  const round = { reached: iso(began - SETTLE_MS), since: iso(requested) };
  if (requested <= from) return round;
  return {
    ...round,
    gap: { from: iso(from), to: iso(requested), reason: "at most three days of downtime are caught up" },
  };
}
