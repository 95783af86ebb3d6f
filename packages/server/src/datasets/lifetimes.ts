import type { Lifetimes } from "../definition/dataset.ts";
import { isIn, itemsOf } from "../definition/filter.ts";
import { bind, sql, type Bound, type Sql } from "../definition/sql.ts";
import { kalshiMarkets } from "../tables/kalshi-markets.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketTokens } from "../tables/polymarket-tokens.ts";

/** No market was traded so long before its venue listed it, whatever the clocks. */
const BEFORE = bind("UInt32", 86_400);
/** What was matched before the close is on chain, and told of, by then. */
const SETTLING = bind("UInt32", 600);
/** What a book is left at when its market closes is its last state. */
const AT_ONCE = bind("UInt32", 0);

type Named = "condition_id" | "token_id" | "market_slug" | "ticker";
type Given = Readonly<Partial<Record<Named, Bound>>>;
type LifetimesOf = (given: Given) => Lifetimes | undefined;

const listOf = (value: Bound): Bound =>
  Array.isArray(value.value) ? value : bind(`Array(${value.type})`, [value.value as string]);

const lifetimes = (value: Bound, rows: (list: Bound) => Sql): Lifetimes => ({
  ids: itemsOf(listOf(value)).map((item) => String(item.value)),
  rows: rows(listOf(value)),
});

const polymarketWhere = (conditions: Sql, after: Bound): Sql => sql`
  SELECT condition_id, slug, toInt64(toUnixTimestamp(start_date)) - ${BEFORE} AS from_s,
    if(closed, toInt64(toUnixTimestamp(closed_date)) + ${after}, NULL) AS to_s
  FROM ${polymarketMarkets} FINAL WHERE ${conditions}`;

const ofConditions = (list: Bound): Sql => sql`
  SELECT concat('0x', lower(hex(condition_id))) AS id, from_s, to_s
  FROM (${polymarketWhere(isIn("condition_id", "condition", list), SETTLING)})`;

const ofSlugs = (list: Bound): Sql => sql`
  SELECT slug AS id, from_s, to_s FROM (${polymarketWhere(isIn("slug", "text", list), SETTLING)})`;

function ofTokens(list: Bound, after: Bound): Sql {
  const tokens = sql`FROM ${polymarketTokens} FINAL WHERE ${isIn("token_id", "token", list)}`;
  return sql`SELECT toString(token_id) AS id, from_s, to_s
    FROM (SELECT token_id, condition_id ${tokens}) AS tokens
    INNER JOIN (${polymarketWhere(sql`condition_id IN (SELECT condition_id ${tokens})`, after)}) AS markets USING condition_id`;
}

const ofTickers = (list: Bound, after: Bound): Sql => sql`
  SELECT ticker AS id, toInt64(toUnixTimestamp(open_time)) - ${BEFORE} AS from_s,
    toInt64(toUnixTimestamp(close_time)) + ${after} AS to_s
  FROM ${kalshiMarkets} FINAL WHERE ${isIn("ticker", "text", list)}`;

/** When the Polymarket markets asked for were traded. */
export const lifetimesOfTokens: LifetimesOf = ({ condition_id: conditions, token_id: tokens, market_slug: slugs }) => {
  if (conditions !== undefined) return lifetimes(conditions, ofConditions);
  if (tokens !== undefined) return lifetimes(tokens, (list) => ofTokens(list, SETTLING));
  return slugs && lifetimes(slugs, ofSlugs);
};

/** When the token asked for had a book. */
export const lifetimesOfTokenBooks: LifetimesOf = ({ token_id: token }) =>
  token && lifetimes(token, (list) => ofTokens(list, AT_ONCE));

/** When the Kalshi markets asked for were traded. */
export const lifetimesOfTickers: LifetimesOf = ({ ticker }) =>
  ticker && lifetimes(ticker, (list) => ofTickers(list, SETTLING));

/** When the Kalshi market asked for had a book. */
export const lifetimesOfTickerBooks: LifetimesOf = ({ ticker }) =>
  ticker && lifetimes(ticker, (list) => ofTickers(list, AT_ONCE));
