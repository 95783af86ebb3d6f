import { MIB } from "../../definition/upstream-bounds.ts";
import {
  definePull,
  type Batch,
  type Call,
  type Cursor,
  type PullOptions,
  type Host,
} from "../../definition/connector.ts";
import { cursorNumber } from "../../definition/cursor-number.ts";
import { socialPosts } from "../../tables/social-posts.ts";
import { type GroupPlace, placeOf, withPlace, toQueries } from "./search/query-rotation.ts";
import { idAt, POST_MICRO, priceOf, searchWire, timestampOf, toPost } from "./search/found-posts.ts";

/** X's API v2: 450 searches per quarter of an hour and app, and every post read is billed. */
export const xHost: Host = {
  name: "x",
  setting: "X_URL",
  maxBytes: 2 * MIB,
  limits: { search: { tokens: 450, perSeconds: 900 } },
  share: 0.5,
  bearer: "X_BEARER_TOKEN",
  dailyCap: "X_DAILY_USD",
};

/** Bounds of a search's result count: fewer or more cannot be requested. */
const MIN_POSTS = 10;
const MAX_POSTS = 100;
const CALLS_PER_CYCLE = 10;
const FIRST_MS = 3_600_000;
/** A post is searchable within this time. */
const SETTLE_MS = 30_000;
/** Seven days are searchable; a walk that starts exactly at that limit would be refused. */
const REACH_MS = 7 * 86_400_000 - 3_600_000;
const FIELDS = "author_id,created_at,lang,public_metrics,referenced_tweets";

/** Posts about the largest open markets, within the daily budget: one query per cycle, from its newest post on. */
export const xPostsStream = definePull({
  name: "x-posts",
  title: "Posts of X",
  venue: "x",
  host: xHost,
  tables: [socialPosts],
  isSelective: true,
  holdsOnly: "posts that name what one of the largest open markets is about, as far as a daily budget goes",
  needs: {
    settings: ["X_BEARER_TOKEN", "X_DAILY_USD"],
    adds: "posts of X about the largest open markets, at $0.005 for each post read",
  },
  everySeconds: 60,
  canBackfill: false,
  pull,
  replay: ({ read }) => [{ table: socialPosts, rows: (read(searchWire).data ?? []).map(toPost) }],
});

async function* pull(options: PullOptions): AsyncGenerator<Batch, void, void> {
  const queries = toQueries(await options.known("social_terms"));
  let cursor: Cursor = options.cursor ?? {};
  const group = (cursorNumber(cursor, "group") ?? 0) % Math.max(1, queries.length);
  const query = queries[group];
  if (query === undefined) return yield { rows: [], cursor, isCaughtUp: true };
  const saved = withinReach(placeOf(cursor, group), options.now());
  let place: GroupPlace & { readonly since: string } = {
    ...saved,
    since: saved.since ?? String(idAt(options.now() - FIRST_MS)),
  };
  // Where to go on behind a page without posts; any other page tells it by its last id.
  let token: string | undefined;
  for (let calls = 0; calls < CALLS_PER_CYCLE; calls += 1) {
    options.signal.throwIfAborted();
    const now = options.now();
    const posts = Math.min(MAX_POSTS, Math.floor(((await options.spendable?.()) ?? 0) / POST_MICRO));
    // A query that was skipped comes first once there is budget.
    if (posts < MIN_POSTS) return yield { rows: [], cursor, notices: [NO_MONEY], isCaughtUp: true };
    const reply = await options.feed.get(toCall(query, { ...place, token }, posts, now), searchWire);
    if (reply === undefined) throw new Error("/tweets/search/recent returned nothing");
    const { data = [], meta } = reply;
    const newest: string | undefined = place.newest ?? meta.newest_id;
    const began: string | undefined =
      place.newest === undefined ? (place.began ?? isoOf(now - SETTLE_MS)) : place.began;
    const isMore = meta.next_token !== undefined;
    token = meta.oldest_id === undefined ? meta.next_token : undefined;
    const before: string | undefined = place.through;
    place = isMore
      ? { since: place.since, newest, until: meta.oldest_id ?? place.until, began, through: before }
      : { since: settledId(newest ?? place.since, place.since, began), through: began };
    // Move on even if unfinished: the first query would otherwise use the entire budget.
    cursor = withPlace({ ...cursor, group: group + 1 }, group, place);
    const reported = isMore ? {} : { ...reportWalk(cursor, queries.length, before, now), isCaughtUp: true };
    yield { rows: [{ table: socialPosts, rows: data.map(toPost) }], cursor, ...reported };
    if (!isMore) return;
  }
  yield { rows: [], cursor, isCaughtUp: true };
}

/**
 * Where the next walk begins: posts are not searchable in the order of their ids, so the last seconds before this one
 * are searched again. Those before its newest post are the most, because each post read is billed.
 */
function settledId(newest: string, since: string, began: string | undefined): string {
  const settled = Math.max(timestampOf(newest) - SETTLE_MS, began === undefined ? 0 : Date.parse(began));
  const [first, last] = [idAt(settled), BigInt(newest)];
  const next = first < last ? first : last;
  return next > BigInt(since) ? String(next) : since;
}

/** Drops walks whose rest is no longer searchable, which would be requested forever. */
function withinReach(place: GroupPlace, now: number): GroupPlace {
  if (place.until === undefined || BigInt(place.until) > idAt(now - REACH_MS)) return place;
  return { since: place.newest, through: place.through };
}

/** The time up to which all queries are read, once each was; posts out of reach since `before` are always a gap. */
function reportWalk(
  cursor: Cursor,
  questions: number,
  before: string | undefined,
  now: number,
): Pick<Batch, "reached" | "since" | "gap"> {
  const through = Array.from({ length: questions }, (_, group) => placeOf(cursor, group).through);
  const [reached] = through.includes(undefined) ? [] : through.toSorted();
  const reported = reached === undefined ? {} : { reached, since: reached };
  const oldest = isoOf(now - REACH_MS);
  if (before === undefined || before >= oldest) return reported;
  return { ...reported, gap: { from: before, to: oldest, reason: "X can only be searched back seven days" } };
}

const isoOf = (timestamp: number): string => new Date(timestamp).toISOString();

const NO_MONEY = {
  kind: "upstream_note",
  text: "The X budget up to this hour of the UTC day is spent: nothing was requested",
  count: 1,
} as const;

type Wanted = GroupPlace & { readonly token: string | undefined };

function toCall(query: string, { since, until, token }: Wanted, posts: number, now: number): Call {
  const oldest = idAt(now - REACH_MS);
  const after = BigInt(since ?? 0) > oldest ? BigInt(since ?? 0) : oldest;
  const params: readonly (readonly [string, string])[] = [
    ["query", query],
    ["max_results", String(posts)],
    ["sort_order", "recency"],
    ["tweet.fields", FIELDS],
    ["since_id", String(after)],
  ];
  return {
    path: "/tweets/search/recent",
    query: [
      ...params,
      ...(until === undefined ? [] : [["until_id", until] as const]),
      ...(token === undefined ? [] : [["next_token", token] as const]),
    ],
    route: "search",
    price: priceOf(posts),
  };
}
