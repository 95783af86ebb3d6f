import type { NamedIds, Lifetimes } from "../definition/dataset.ts";
import { hexOf, isIn, itemsOf } from "../definition/filter.ts";
import { sql, bind, type Bound, type Sql } from "../definition/sql.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";
import { kalshiMarkets } from "../tables/kalshi-markets.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";

/** Resolves a market slug to the token of its first outcome, for datasets about one token. */
export const firstTokenBySlug: NamedIds = {
  param: "token_id",
  by: "market_slug",
  ids: (slug) =>
    sql`SELECT toString(token_id) AS id FROM ${polymarketTokens} WHERE slug = ${slug} ORDER BY outcome_index, token_id LIMIT 1`,
};

/** Resolves market slugs to conditions. */
export const conditionsBySlug: NamedIds = {
  param: "condition_id",
  by: "market_slug",
  ids: (slugs) =>
    sql`SELECT DISTINCT ${hexOf(sql`condition_id`)} AS id FROM ${polymarketTokens} WHERE ${isIn("slug", "text", slugs)} ORDER BY id`,
};

/** Seconds. No market is traded longer than this before its listing, even with clock differences. */
const BEFORE = 86_400;
/** Seconds. Trades matched before the close are on chain and reported by then. */
const SETTLING = 600;
/** The book left when its market closes is its last state. */
const AT_ONCE = 0;

type Named = "condition_id" | "token_id" | "market_slug" | "ticker";
type Given = Readonly<Partial<Record<Named, Bound>>>;
type LifetimesOf = (given: Given) => Lifetimes | undefined;

const listOf = (value: Bound): Bound =>
  Array.isArray(value.value) ? value : bind(`Array(${value.type})`, [value.value as string]);

const lifetimes = (value: Bound, rows: (list: Bound) => Sql, held: Lifetimes["held"]): Lifetimes => ({
  ids: itemsOf(listOf(value)).map((item) => String(item.value)),
  rows: rows(listOf(value)),
  held,
});

const seconds = (count: number): Bound => bind("UInt32", count);

/** The Unix second of a timestamp in a response row, plus `later` seconds. */
function secondOf(timestamp: unknown, later: number): number | null {
  const second = typeof timestamp === "string" ? Math.floor(Date.parse(timestamp) / 1000) : Number.NaN;
  return Number.isNaN(second) ? null : second + later;
}

const heldPolymarket = (after: number, by?: Pick<Lifetimes["held"], "tokens" | "column">): Lifetimes["held"] => ({
  markets: polymarketMarkets,
  ...by,
  lifetime: ({ start_date: start, closed, closed_date: end }) => ({
    from_s: secondOf(start, -BEFORE),
    to_s: closed === true ? secondOf(end, after) : null,
  }),
});

const polymarketWhere = (conditions: Sql, after: number): Sql => sql`
  SELECT condition_id, slug, toInt64(toUnixTimestamp(start_date)) - ${seconds(BEFORE)} AS from_s,
    if(closed, toInt64(toUnixTimestamp(closed_date)) + ${seconds(after)}, NULL) AS to_s
  FROM ${polymarketMarkets} FINAL WHERE ${conditions}`;

const ofConditions = (list: Bound): Sql => sql`
  SELECT concat('0x', lower(hex(condition_id))) AS id, from_s, to_s
  FROM (${polymarketWhere(isIn("condition_id", "condition", list), SETTLING)})`;

const ofSlugs = (list: Bound): Sql => sql`
  SELECT slug AS id, from_s, to_s FROM (${polymarketWhere(isIn("slug", "text", list), SETTLING)})`;

function ofTokens(list: Bound, after: number): Sql {
  const tokens = sql`FROM ${polymarketTokens} FINAL WHERE ${isIn("token_id", "token", list)}`;
  return sql`SELECT toString(token_id) AS id, from_s, to_s
    FROM (SELECT token_id, condition_id ${tokens}) AS tokens
    INNER JOIN (${polymarketWhere(sql`condition_id IN (SELECT condition_id ${tokens})`, after)}) AS markets USING condition_id`;
}

const ofTickers = (list: Bound, after: number): Sql => sql`
  SELECT ticker AS id, toInt64(toUnixTimestamp(open_time)) - ${seconds(BEFORE)} AS from_s,
    toInt64(toUnixTimestamp(close_time)) + ${seconds(after)} AS to_s
  FROM ${kalshiMarkets} FINAL WHERE ${isIn("ticker", "text", list)}`;

const tokenLifetimes = (tokens: Bound, after: number): Lifetimes =>
  lifetimes(tokens, (list) => ofTokens(list, after), heldPolymarket(after, { tokens: polymarketTokens }));

const tickerLifetimes = (tickers: Bound, after: number): Lifetimes =>
  lifetimes(tickers, (list) => ofTickers(list, after), {
    markets: kalshiMarkets,
    lifetime: (row) => ({ from_s: secondOf(row["open_time"], -BEFORE), to_s: secondOf(row["close_time"], after) }),
  });

/** When the requested Polymarket markets were traded. */
export const lifetimesOfTokens: LifetimesOf = ({ condition_id: conditions, token_id: tokens, market_slug: slugs }) => {
  if (conditions !== undefined) return lifetimes(conditions, ofConditions, heldPolymarket(SETTLING));
  if (tokens !== undefined) return tokenLifetimes(tokens, SETTLING);
  return slugs && lifetimes(slugs, ofSlugs, heldPolymarket(SETTLING, { column: "slug" }));
};

/** When the requested token had a book. */
export const lifetimesOfTokenBooks: LifetimesOf = ({ token_id: token }) => token && tokenLifetimes(token, AT_ONCE);

/** When the requested Kalshi markets were traded. */
export const lifetimesOfTickers: LifetimesOf = ({ ticker }) => ticker && tickerLifetimes(ticker, SETTLING);

/** When the requested Kalshi market had a book. */
export const lifetimesOfTickerBooks: LifetimesOf = ({ ticker }) => ticker && tickerLifetimes(ticker, AT_ONCE);
