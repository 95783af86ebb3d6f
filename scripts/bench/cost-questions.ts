import type { FormatType } from "../../packages/server/src/query/answer.ts";
import type { Store } from "../../packages/server/src/store/store.ts";
import { fillIn, readIds } from "./question-values.ts";

type More = { readonly limit?: number; readonly offset?: number; readonly format?: FormatType };

/** Sent with a different `cycle` each time, so that no cached response is hit. */
export type CostQuestion = {
  readonly more: More;
  readonly name: string;
  readonly agentId: number;
  readonly params: (turn: number) => Record<string, string>;
};

const MAX_ITEMS = 50;
const DAY_MS = 86_400_000;

/**
 * An ordinary query of each dataset and its most expensive ones within the limits of the free plan. In angle brackets:
 * one or 50 ids of the store, the turn's number, as a large amount, as a count of hours, and days before the last
 * stored one.
 */
const REQUESTED: readonly [name: string, agentId: number, params: Readonly<Record<string, string>>, more?: More][] = [
  ["of a wallet", 556, { proxy_wallet: "<wallet>" }, { limit: 100 }],
  ["newest", 556, { min_usd: "<turn>" }],
  ["of wallets", 556, { proxy_wallet: "<wallets>" }],
  ["of markets", 556, { condition_id: "<conditions>" }],
  ["rare", 556, { min_usd: "<large>" }],
  ["deep", 556, { min_usd: "<turn>" }, { offset: 99_000 }],
  ["beyond the end", 556, { min_usd: "<turn>" }, { offset: 10_000_000 }],
  ["parquet", 556, { min_usd: "<turn>" }, { format: "parquet" }],
  ["csv of wallets", 556, { proxy_wallet: "<wallets>" }, { format: "csv" }],
  ["csv, deep", 556, { min_usd: "<turn>" }, { format: "csv", offset: 99_000 }],
  ["of wallets", 1104, { proxy_wallet: "<wallets>" }],
  ["of wallets", 1106, { proxy_wallet: "<wallets>" }],
  ["of tokens", 1103, { token_id: "<tokens>" }],
  ["of tickers", 573, { ticker: "<tickers>" }],
  ["rare in all time", 573, { start_time: "2020-01-01", min_count: "<large>" }],
  ["newest minutes", 568, { token_id: "<token>" }],
  ["weeks", 568, { token_id: "<token>", interval: "1w", tz: "Asia/Kathmandu" }],
  ["filled minutes of all time", 568, { token_id: "<token>", fill: "previous", start_time: "<half_year_ago>" }],
  ["parquet", 568, { token_id: "<token>" }, { format: "parquet" }],
  ["days", 1101, { ticker: "<ticker>", interval: "1d" }],
  ["newest books", 572, { token_id: "<book>" }],
  ["arrow", 572, { token_id: "<book>" }, { format: "arrow" }],
  ["largest", 574, { min_volume: "<turn>" }],
  ["words, deep", 574, { market_slug: "will", min_volume: "<turn>" }, { offset: 9_000 }],
  ["parquet", 574, { min_volume: "<turn>" }, { format: "parquet" }],
  ["largest", 565, { close_time_min: "<half_year_ago>" }],
  ["csv", 565, { close_time_min: "<half_year_ago>" }, { format: "csv" }],
  ["a filter", 575, { min_volume_24h: "<turn>" }],
  ["of markets", 575, { condition_id: "<conditions>" }],
  ["a wallet", 569, { wallet: "<wallet>" }],
  ["wallets", 569, { wallet: "<wallets>" }],
  ["wallets, fifo, markets", 569, { wallet: "<wallets>", method: "fifo", condition_id: "<conditions>" }],
  ["wallets, parquet", 569, { wallet: "<wallets>" }, { format: "parquet" }],
  ["a wallet", 1003, { proxy_wallet: "<wallet>" }],
  ["wallets", 1003, { proxy_wallet: "<wallets>" }],
  ["a wallet", 586, { wallet_address: "<wallet>" }],
  ["wallets", 586, { wallet_address: "<wallets>" }],
  ["a wallet", 581, { proxy_wallet: "<wallet>" }],
  ["wallets", 581, { proxy_wallet: "<wallets>", as_of: "<day>" }],
  ["wallets, all their time", 581, { proxy_wallet: "<wallets>", window_days: "all", as_of: "<day>" }],
  ["a wallet", 1001, { proxy_wallet: "<wallet>" }],
  ["wallets", 1001, { proxy_wallet: "<wallets>", status: "ALL" }],
  ["a wallet", 1002, { proxy_wallet: "<wallet>" }],
  ["wallets", 1002, { proxy_wallet: "<wallets>" }],
  ["a market", 1004, { condition_id: "<condition>" }],
  ["markets of a day", 1004, { condition_id: "<conditions>", as_of: "<day>" }],
  ["board", 579, {}],
  ["board of a day", 579, { as_of: "<day>" }],
  ["board of all time of a day", 579, { leaderboard_period: "all", as_of: "<day>" }],
  ["scores of a day", 584, { as_of: "<day>" }],
  ["a wallet", 1006, { wallet: "<wallet>" }],
  ["wallets", 1006, { wallet: "<wallets>" }],
  ["all markets", 1005, { bins: "1<turn>" }],
  ["wallets", 1005, { proxy_wallet: "<wallets>", bins: "1<turn>" }],
  ["a token", 596, { token_id: "<token>" }],
  ["all tokens, a day", 596, { end_time: "<day>" }],
  ["all tokens, a year", 596, { resolution: "1m", min_change_pct: "<turn>", start_time: "<year_ago>" }],
  [
    "all tokens, a year, robust",
    596,
    { resolution: "1m", method: "robust", min_change_pct: "<turn>", start_time: "<year_ago>" },
  ],
  ["ten years of words", 585, { keywords: "the,a,will,market", hours_back: "87<hours>" }],
  ["a year of 5 minutes", 1007, { keywords: "the,a,will", interval: "5m", hours_back: "8<hours>" }],
  ["all", 1107, {}],
];

const some = (list: readonly string[], turn: number): string[] =>
  Array.from({ length: MAX_ITEMS }, (_, index) => list[(turn * 17 + index) % list.length] ?? "");

export async function costQuestions(store: Store): Promise<CostQuestion[]> {
  const { lastDay, ...ids } = await readIds(store);
  const lists = Object.entries(ids);
  const day = (back: number): string => new Date(lastDay - back * DAY_MS).toISOString().slice(0, 10);
  const valueOf = (name: string, turn: number): string => {
    const many = lists.find(([list]) => list === name)?.[1];
    const one = lists.find(([list]) => list === `${name}s`)?.[1];
    if (many !== undefined) return some(many, turn).join(",");
    if (one !== undefined) return some(one, turn)[0] ?? "";
    if (name.endsWith("year_ago")) return day(name === "year_ago" ? 365 : 180);
    if (name === "day") return day(1 + turn);
    return { turn: String(1 + turn), large: String(900_000 + turn), hours: String(599 - turn) }[name] ?? "";
  };
  return REQUESTED.map(([name, agentId, params, more = {}]) => {
    return { more, name: `${agentId} ${name}`, agentId, params: fillIn(params, valueOf) };
  });
}
