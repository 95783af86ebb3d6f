import type { Known } from "../definition/connector.ts";
import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { findDueIncome } from "./find-due-income.ts";
import { askBluesky, type BlueskyKnown } from "./known-bluesky.ts";
import { findSocialTerms } from "./find-social-terms.ts";

export type KnownLimits = {
  /** Markets whose books are followed, most traded first. */
  readonly markets: number;
  readonly tokensWithoutMarket: number;
  /** How far back fills are looked through for tokens without a market. */
  readonly fillDays: number;
  /** Wallets whose income is asked for; 0 asks for none. */
  readonly incomeWallets: number;
  /** And after how long again. */
  readonly incomeHours: number;
  /** The names in a title of an event, that other sources can be asked for; none are known without. */
  readonly namesIn: (title: string) => readonly string[];
};

/** How long after its close a market's last candles are asked for. */
const RECENT_SECONDS = 2 * 3600;
const MOST_OPENING = 500;
const TRADED_SECONDS = 86_400;
/** Nine in ten markets are settled within the hour of their close. */
const OVERDUE_SECONDS = 3 * 3600;
const MOST_OVERDUE_SECONDS = 30 * 86_400;
const MOST_ASKED_AGAIN = 2000;

const DEFAULTS: KnownLimits = {
  markets: 2000,
  tokensWithoutMarket: 2000,
  fillDays: 7,
  incomeWallets: 2000,
  incomeHours: 6,
  namesIn: () => [],
};

/** Answers the questions connectors may ask of the store. Every list is bounded. */
export function createKnown(
  store: Store,
  venueNow: () => number,
  given: Partial<KnownLimits> = {},
): (question: Known) => Promise<readonly string[]> {
  const limits = { ...DEFAULTS, ...given };
  const ask: Readonly<Record<Known, () => Promise<readonly string[]>>> = {
    ...askVenues(store, venueNow, limits),
    ...askBluesky(store, venueNow),
    social_terms: () => findSocialTerms(store, limits.namesIn),
  };
  return (question) => ask[question]();
}

function askVenues(
  store: Store,
  venueNow: () => number,
  limits: KnownLimits,
): Record<Exclude<Known, BlueskyKnown | "social_terms">, () => Promise<readonly string[]>> {
  const markets = bind("UInt32", limits.markets);
  return {
    active_polymarket_tokens: async () => {
      const rows = await store.rows<{ tokens: string[] }>(
        sql`SELECT [toString(side_a_token_id), toString(side_b_token_id)] AS tokens FROM polymarket_markets FINAL WHERE NOT closed AND active AND side_a_token_id != 0 ORDER BY volume_24h DESC, condition_id LIMIT ${markets}`,
      );
      return rows.flatMap(({ tokens }) => tokens.filter((token) => token !== "0"));
    },
    active_kalshi_tickers: async () => {
      const rows = await store.rows<{ ticker: string }>(
        sql`SELECT ticker FROM kalshi_markets FINAL WHERE status = 'active' ORDER BY volume_24h DESC, ticker LIMIT ${markets}`,
      );
      return rows.map(({ ticker }) => ticker);
    },
    recent_kalshi_tickers: async () => {
      const from = bind("UInt32", Math.floor(venueNow() / 1000) - RECENT_SECONDS);
      const rows = await store.rows<{ ticker: string }>(
        sql`SELECT ticker FROM kalshi_markets FINAL WHERE status = 'active' OR (status != 'initialized' AND close_time >= toDateTime(${from}, 'UTC')) ORDER BY volume_24h DESC, ticker LIMIT ${markets}`,
      );
      return rows.map(({ ticker }) => ticker);
    },
    opening_kalshi_tickers: async () => {
      const now = bind("UInt32", Math.floor(venueNow() / 1000));
      const rows = await store.rows<{ ticker: string }>(
        sql`SELECT ticker FROM kalshi_markets FINAL WHERE status = 'initialized' AND open_time <= toDateTime(${now}, 'UTC') ORDER BY open_time DESC, ticker LIMIT ${bind("UInt32", MOST_OPENING)}`,
      );
      return rows.map(({ ticker }) => ticker);
    },
    kalshi_tickers_without_market: async () => {
      const from = bind("UInt32", Math.floor(venueNow() / 1000) - TRADED_SECONDS);
      const rows = await store.rows<{ ticker: string }>(
        sql`SELECT ticker FROM kalshi_trades WHERE created_time >= toDateTime64(${from}, 6, 'UTC') AND ticker NOT LIKE 'KXMVE%' AND ticker GLOBAL NOT IN (SELECT ticker FROM kalshi_markets) GROUP BY ticker ORDER BY max(created_time) DESC, ticker LIMIT ${bind("UInt32", MOST_ASKED_AGAIN)}`,
      );
      return rows.map(({ ticker }) => ticker);
    },
    overdue_kalshi_tickers: async () => {
      const now = Math.floor(venueNow() / 1000);
      const [from, to] = [bind("UInt32", now - MOST_OVERDUE_SECONDS), bind("UInt32", now - OVERDUE_SECONDS)];
      const rows = await store.rows<{ ticker: string }>(
        sql`SELECT ticker FROM kalshi_markets FINAL WHERE status != 'finalized' AND close_time >= toDateTime(${from}, 'UTC') AND close_time < toDateTime(${to}, 'UTC') ORDER BY close_time DESC, ticker LIMIT ${bind("UInt32", MOST_ASKED_AGAIN)}`,
      );
      return rows.map(({ ticker }) => ticker);
    },
    tokens_without_market: async () => {
      const from = bind("UInt32", Math.floor(venueNow() / 1000) - limits.fillDays * 86_400);
      const rows = await store.rows<{ token: string }>(
        sql`SELECT toString(token_id) AS token FROM polymarket_fills WHERE ts >= toDateTime(${from}, 'UTC') AND token_id GLOBAL NOT IN (SELECT token_id FROM polymarket_tokens WHERE condition_id != toFixedString('', 32)) GROUP BY token_id ORDER BY max(ts) DESC LIMIT ${bind("UInt32", limits.tokensWithoutMarket)}`,
      );
      return rows.map(({ token }) => token);
    },
    income_wallets: () => findDueIncome(store, venueNow(), limits),
  };
}
