import type { PullOptions } from "../definition/connector.ts";
import type { Known } from "../definition/known.ts";
import { bind, sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { findDueIncome } from "./find-due-income.ts";
import { askBluesky, type BlueskyKnown } from "./known-bluesky.ts";
import { askKalshi, type KalshiKnown } from "./known-kalshi.ts";
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
): PullOptions["known"] {
  const limits = { ...DEFAULTS, ...given };
  const ask: Readonly<Record<Known, (among: readonly string[]) => Promise<readonly string[]>>> = {
    ...askPolymarket(store, venueNow, limits),
    ...askKalshi(store, venueNow, limits.markets),
    ...askBluesky(store, venueNow),
    social_terms: () => findSocialTerms(store, limits.namesIn),
  };
  return (question, among = []) => ask[question](among);
}

function askPolymarket(
  store: Store,
  venueNow: () => number,
  limits: KnownLimits,
): Record<Exclude<Known, KalshiKnown | BlueskyKnown | "social_terms">, () => Promise<readonly string[]>> {
  const markets = bind("UInt32", limits.markets);
  return {
    active_polymarket_tokens: async () => {
      const rows = await store.rows<{ tokens: string[] }>(
        sql`SELECT [toString(side_a_token_id), toString(side_b_token_id)] AS tokens FROM polymarket_markets FINAL WHERE NOT closed AND active AND side_a_token_id != 0 ORDER BY volume_24h DESC, condition_id LIMIT ${markets}`,
      );
      return rows.flatMap(({ tokens }) => tokens.filter((token) => token !== "0"));
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
