import type { PullOptions } from "../definition/connector.ts";
import type { Known } from "../definition/known.ts";
import { isIn } from "../definition/filter.ts";
import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { askKalshi, type KalshiKnown } from "./known-kalshi.ts";
import { findSocialTerms } from "./find-social-terms.ts";
import { createUnlisted, type Traded } from "./unlisted.ts";

const MAX_POSTS = 300_000;
const MAX_MENTIONED = 200_000;
const MAX_REACTIONS = 300_000;
const MAX_HANDLES = 200_000;
/** How long posts about markets are followed, and handles looked up. */
const FOLLOWED_MS = 7 * 86_400_000;
const REACTIONS_MS = 6 * 3_600_000;

type BlueskyKnown = "recent_bluesky_posts" | "mentioned_bluesky_posts" | "recent_bluesky_reactions" | "bluesky_handles";

const most = (count: number) => bind("UInt32", count);

/** Restores the Bluesky walk's memory from the store; oldest first, so that the newest is evicted last. */
function askBluesky(store: Store, venueNow: () => number): Record<BlueskyKnown, () => Promise<readonly string[]>> {
  const since = (ms: number) => bind("Int64", String(Math.floor(venueNow()) - ms));
  const ask = async (question: ReturnType<typeof sql>): Promise<readonly string[]> => {
    const rows = await store.rows<{ known: string }>(question);
    return rows.map(({ known }) => known).toReversed();
  };
  return {
    recent_bluesky_posts: () =>
      ask(
        sql`SELECT concat(id, ' ', toString(toUnixTimestamp64Milli(ts))) AS known FROM social_posts WHERE source = 'bluesky' AND ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') ORDER BY ts DESC LIMIT ${most(MAX_POSTS)}`,
      ),
    mentioned_bluesky_posts: () =>
      ask(
        sql`SELECT concat(post_id, ' ', toString(toUnixTimestamp64Milli(max(ts) AS last))) AS known FROM social_mentions_by_post WHERE ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') AND source = 'bluesky' AND NOT is_gone GROUP BY post_id ORDER BY last DESC LIMIT ${most(MAX_MENTIONED)}`,
      ),
    recent_bluesky_reactions: () =>
      ask(
        sql`SELECT concat(id, ' ', toString(toUnixTimestamp64Milli(ts))) AS known FROM social_reactions WHERE source = 'bluesky' AND ts >= fromUnixTimestamp64Milli(${since(REACTIONS_MS)}, 'UTC') ORDER BY ts DESC LIMIT ${most(MAX_REACTIONS)}`,
      ),
    bluesky_handles: () =>
      ask(
        sql`SELECT concat(author, ' ', argMax(username, ts)) AS known FROM social_posts WHERE source = 'bluesky' AND username != author AND ts >= fromUnixTimestamp64Milli(${since(FOLLOWED_MS)}, 'UTC') GROUP BY author ORDER BY max(ts) DESC LIMIT ${most(MAX_HANDLES)}`,
      ),
  };
}

/** Wallets are ranked by their trading within this period. */
const RANKED_SECONDS = 30 * 86_400;

/**
 * Wallets whose income was not requested within so many hours, among the top-ranked ones: makers first, by traded
 * volume. Superseded rows of a day may count in the ranking until they are merged: it only decides which wallets to
 * request. Each is "0x… SECOND" (see Known).
 */
async function findDueIncome(
  store: Pick<Store, "rows">,
  nowMs: number,
  { incomeWallets, incomeHours }: { readonly incomeWallets: number; readonly incomeHours: number },
): Promise<readonly string[]> {
  if (incomeWallets === 0) return [];
  const now = Math.floor(nowMs / 1000);
  const since = bind("UInt32", Math.max(0, now - RANKED_SECONDS));
  const before = bind("UInt32", Math.max(0, now - incomeHours * 3600));
  const ranked = sql`(SELECT wallet, sum(maker_usd) > 0 AS is_maker, sum(bought_usd + sold_usd) AS traded_usd FROM wallet_days WHERE day >= toDate(toDateTime(${since}, 'UTC')) AND NOT is_gone GROUP BY wallet ORDER BY is_maker DESC, traded_usd DESC, wallet LIMIT ${bind("UInt32", incomeWallets)})`;
  const looked = sql`(SELECT wallet, asked_at, checked_at FROM polymarket_income_wallets FINAL)`;
  const secondOf = sql`toUnixTimestamp(coalesce(looked.checked_at, toDateTime(0, 'UTC')))`;
  const rows = await store.rows<{ due: string }>(
    sql`SELECT concat('0x', lower(hex(ranked.wallet)), ' ', toString(${secondOf})) AS due FROM ${ranked} AS ranked LEFT JOIN ${looked} AS looked USING (wallet) WHERE coalesce(looked.asked_at, toDateTime(0, 'UTC')) <= toDateTime(${before}, 'UTC') ORDER BY ranked.is_maker DESC, ranked.traded_usd DESC, ranked.wallet`,
  );
  return rows.map(({ due }) => due);
}

export type KnownLimits = {
  /** Markets whose books are followed, most traded first. */
  readonly markets: number;
  readonly tokensWithoutMarket: number;
  /** How far back fills are searched for tokens without a market. */
  readonly fillDays: number;
  /** Wallets whose income is requested; 0 for none. */
  readonly incomeWallets: number;
  /** Hours until it is requested again. */
  readonly incomeHours: number;
  /** Names in an event's title that other sources can be searched for; none by default. */
  readonly namesIn: (title: string) => readonly string[];
};

const DEFAULTS: KnownLimits = {
  markets: 2000,
  tokensWithoutMarket: 2000,
  fillDays: 7,
  incomeWallets: 2000,
  incomeHours: 6,
  namesIn: () => [],
};

/** Runs the queries that connectors may make on the store. Every list is bounded. */
export function createKnown(
  store: Store,
  venueNow: () => number,
  given: Partial<KnownLimits> = {},
): PullOptions["known"] {
  const limits = { ...DEFAULTS, ...given };
  const ask: Readonly<Record<Known, (among: readonly string[]) => Promise<readonly string[]>>> = {
    ...askPolymarket(store, venueNow, limits),
    ...askKalshi(store, venueNow, limits.markets),
    ...askBluesky(store, venueNow),
    social_terms: () => findSocialTerms(store, limits.namesIn),
    book_times_ahead: ([venue = ""]) => findBookAhead(store, venue, venueNow()),
  };
  return (question, among = []) => ask[question](among);
}

/** Reads only parts that reach past now. */
async function findBookAhead(store: Store, venue: string, nowMs: number): Promise<readonly string[]> {
  const now = bind("Int64", String(Math.floor(nowMs)));
  const rows = await store.rows<{ times: string[] }>(
    sql`SELECT [toString(toUnixTimestamp64Milli(min(ts))), toString(toUnixTimestamp64Milli(max(ts)))] AS times FROM book_events WHERE venue = ${bind("String", venue)} AND ts > fromUnixTimestamp64Milli(${now}, 'UTC') HAVING count() > 0`,
  );
  return rows.flatMap(({ times }) => times);
}

function askPolymarket(
  store: Store,
  venueNow: () => number,
  limits: KnownLimits,
): Record<
  Exclude<Known, KalshiKnown | BlueskyKnown | "social_terms" | "book_times_ahead">,
  () => Promise<readonly string[]>
> {
  const markets = bind("UInt32", limits.markets);
  return {
    active_polymarket_tokens: async () => {
      const rows = await store.rows<{ tokens: string[] }>(
        sql`SELECT [toString(side_a_token_id), toString(side_b_token_id)] AS tokens FROM polymarket_markets FINAL WHERE NOT closed AND active AND side_a_token_id != 0 ORDER BY volume_24h DESC, condition_id LIMIT ${markets}`,
      );
      return rows.flatMap(({ tokens }) => tokens.filter((token) => token !== "0"));
    },
    tokens_without_market: createUnlisted(store, venueNow, tokensOfFills(limits)),
    income_wallets: () => findDueIncome(store, venueNow(), limits),
  };
}

const IS_LISTED = sql`condition_id != toFixedString('', 32)`;

/**
 * The token dictionary is the cheapest test, but lags by seconds and may miss a listed token. When all fills are
 * searched such tokens could fill the limit, so the table itself is queried then.
 */
const tokensOfFills = ({ tokensWithoutMarket, fillDays }: KnownLimits): Traded => ({
  most: tokensWithoutMarket,
  seconds: fillDays * 86_400,
  unlisted: ({ from, sinceMs, most: few }) => sql`
    SELECT toString(token_id) AS id, toString(toUnixTimestamp(last)) AS at
    FROM (SELECT token_id, max(ts) AS last FROM polymarket_fills
      WHERE ts >= toDateTime(${bind("UInt32", from)}, 'UTC')
        AND ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", String(sinceMs))}, 'UTC')
      GROUP BY token_id)
    WHERE ${
      sinceMs === 0
        ? sql`token_id GLOBAL NOT IN (SELECT token_id FROM polymarket_tokens WHERE ${IS_LISTED})`
        : sql`dictGet('polymarket_token_info', 'condition_id', toString(token_id)) = ''`
    }
    ORDER BY last DESC LIMIT ${most(few)}`,
  listed: (ids) =>
    sql`SELECT DISTINCT toString(token_id) AS id FROM polymarket_tokens WHERE ${isIn("token_id", "token", ids)} AND ${IS_LISTED}`,
});
