import type { Known } from "../definition/known.ts";
import { isIn } from "../definition/filter.ts";
import { bind, sql, type Sql } from "../definition/sql.ts";
import type { Store } from "../store/store.ts";
import { createUnlisted, type Traded } from "./unlisted.ts";

/** How long after its close a market's last candles are requested. */
const RECENT_SECONDS = 2 * 3600;
const MAX_OPENING = 500;
/** Nine in ten markets are settled within the hour of their close. */
const OVERDUE_SECONDS = 3 * 3600;
const MAX_OVERDUE_SECONDS = 30 * 86_400;
const MAX_REQUESTED_AGAIN = 2000;

export type KalshiKnown = Extract<Known, `${string}kalshi_tickers${string}`>;

const most = (count: number) => bind("UInt32", count);

/** FINAL merges only the keys of which a version, current or not, meets the condition: a small part of the catalogue. */
const marketsWhere = (which: Sql): Sql =>
  sql`FROM kalshi_markets FINAL WHERE ticker GLOBAL IN (SELECT ticker FROM kalshi_markets WHERE ${which}) AND ${which}`;

const TICKERS_OF_TRADES: Traded = {
  most: MAX_REQUESTED_AGAIN,
  seconds: 86_400,
  unlisted: ({ from, sinceMs, most: few }) => {
    const traded = sql`FROM kalshi_trades WHERE created_time >= toDateTime64(${bind("UInt32", from)}, 6, 'UTC') AND ingested_at >= fromUnixTimestamp64Milli(${bind("Int64", String(sinceMs))}, 'UTC') AND ticker NOT LIKE 'KXMVE%'`;
    const listed = sql`SELECT ticker FROM kalshi_markets WHERE ticker GLOBAL IN (SELECT ticker ${traded})`;
    return sql`SELECT ticker AS id, toString(toUnixTimestamp(max(created_time))) AS at ${traded} AND ticker GLOBAL NOT IN (${listed}) GROUP BY ticker ORDER BY max(created_time) DESC, ticker LIMIT ${most(few)}`;
  },
  listed: (ids) => sql`SELECT DISTINCT ticker AS id FROM kalshi_markets WHERE ${isIn("ticker", "text", ids)}`,
};

/** Kalshi's markets from the catalogue; `markets`: the most markets whose books and candles are requested. */
export function askKalshi(
  store: Store,
  venueNow: () => number,
  markets: number,
): Record<KalshiKnown, (among: readonly string[]) => Promise<readonly string[]>> {
  const ask = async (question: ReturnType<typeof sql>): Promise<readonly string[]> => {
    const rows = await store.rows<{ ticker: string }>(question);
    return rows.map(({ ticker }) => ticker);
  };
  return {
    active_kalshi_tickers: () =>
      ask(
        sql`SELECT ticker ${marketsWhere(sql`status = 'active'`)} ORDER BY volume_24h DESC, ticker LIMIT ${most(markets)}`,
      ),
    recent_kalshi_tickers: async () => {
      const from = bind("UInt32", Math.floor(venueNow() / 1000) - RECENT_SECONDS);
      return ask(
        sql`SELECT ticker ${marketsWhere(sql`(status = 'active' OR (status != 'initialized' AND close_time >= toDateTime(${from}, 'UTC')))`)} ORDER BY volume_24h DESC, ticker LIMIT ${most(markets)}`,
      );
    },
    opening_kalshi_tickers: async () => {
      const now = bind("UInt32", Math.floor(venueNow() / 1000));
      return ask(
        sql`SELECT ticker ${marketsWhere(sql`status = 'initialized' AND open_time <= toDateTime(${now}, 'UTC')`)} ORDER BY open_time DESC, ticker LIMIT ${most(MAX_OPENING)}`,
      );
    },
    kalshi_tickers_without_market: createUnlisted(store, venueNow, TICKERS_OF_TRADES),
    overdue_kalshi_tickers: async () => {
      const now = Math.floor(venueNow() / 1000);
      const [from, to] = [bind("UInt32", now - MAX_OVERDUE_SECONDS), bind("UInt32", now - OVERDUE_SECONDS)];
      return ask(
        sql`SELECT ticker ${marketsWhere(sql`status != 'finalized' AND close_time >= toDateTime(${from}, 'UTC') AND close_time < toDateTime(${to}, 'UTC')`)} ORDER BY close_time DESC, ticker LIMIT ${most(MAX_REQUESTED_AGAIN)}`,
      );
    },
    left_kalshi_tickers: async (among) => {
      const from = bind("UInt32", Math.floor(venueNow() / 1000) - MAX_OVERDUE_SECONDS);
      return ask(
        sql`SELECT ticker FROM kalshi_markets FINAL WHERE ticker IN ${bind("Array(String)", among)} AND status != 'active' AND close_time >= toDateTime(${from}, 'UTC') ORDER BY ticker`,
      );
    },
  };
}
