import type { Question } from "../../fixtures/open-test-query.ts";

/** A query of a dataset; `label` is unique within the dataset. */
export type Requested = Question & { readonly agentId: number; readonly label: string };

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, "0")}`;
const list = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(1 + index)).join(",");

/** The first key of each kind has an eighth of all rows. */
const [BUSY_WALLET, BUSY_CONDITION, BUSY_TOKEN, BUSY_TICKER] = [hex(0, 40), hex(0, 64), "0", "KX-0"];
const [WALLET, CONDITION, TOKEN, TICKER] = [hex(7, 40), hex(7, 64), "7", "KX-7"];
const WALLETS = list(20, (index) => hex(index, 40));
const CONDITIONS = list(20, (index) => hex(index, 64));
const TOKENS = list(20, String);
const DAY = { start_time: "2026-11-10", end_time: "2026-11-10" };
const HOUR = { start_time: "2026-11-10T12:00:00Z", end_time: "2026-11-10T13:00:00Z" };
const TIMESTAMP = { start_time: "2026-11-10T12:00:00Z", end_time: "2026-11-10T12:00:00Z" };
const AS_OF = { as_of: "2026-11-10" };

type Params = Readonly<Record<string, string>>;
const requested = (agentId: number, questions: Readonly<Record<string, Params>>): Requested[] =>
  Object.entries(questions).map(([label, params]) => ({ agentId, label, params }));

/** Filters on a busy key and on others, with and without a time range. */
const byKeys = (param: string, busy: string, one: string, range: Params = DAY): Readonly<Record<string, Params>> => ({
  "a busy key": { [param]: busy },
  "a key": { [param]: one },
  "a busy key, in a range of time": { [param]: busy, ...range },
});

/** Typical queries of every dataset: a first page each, and the next page if there is more. */
export const QUESTIONS: readonly Requested[] = [
  ...requested(556, {
    newest: {},
    "a day": DAY,
    ...byKeys("proxy_wallet", BUSY_WALLET, WALLET),
    wallets: { proxy_wallet: WALLETS },
    "a busy token": { token_id: BUSY_TOKEN },
    "a token on a day": { token_id: TOKEN, ...DAY },
    tokens: { token_id: TOKENS },
    "a condition": { condition_id: CONDITION },
    "a busy condition": { condition_id: BUSY_CONDITION },
    "a slug": { market_slug: "market-7" },
    "takers' large ones": { role: "taker", min_size: "50" },
  }),
  { agentId: 556, label: "a deep offset", pagination: { offset: 50_000 } },
  ...requested(1104, {
    newest: {},
    ...byKeys("proxy_wallet", BUSY_WALLET, WALLET),
    wallets: { proxy_wallet: WALLETS },
    "a busy condition": { condition_id: BUSY_CONDITION },
    conditions: { condition_id: CONDITIONS },
  }),
  ...requested(1106, {
    newest: {},
    ...byKeys("proxy_wallet", BUSY_WALLET, WALLET),
    wallets: { proxy_wallet: WALLETS },
    "a busy token": { token_id: BUSY_TOKEN },
    tokens: { token_id: TOKENS },
  }),
  ...requested(1105, {
    newest: {},
    "a day": DAY,
    "a condition": { condition_id: hex(1_007, 64) },
    conditions: { condition_id: CONDITIONS },
  }),
  ...requested(1103, byKeys("token_id", BUSY_TOKEN, TOKEN)),
  ...requested(573, {
    "a day": DAY,
    ...byKeys("ticker", BUSY_TICKER, TICKER),
    "an event": { event_ticker: "KXEVENT-0" },
  }),
  ...requested(568, {
    ...byKeys("token_id", BUSY_TOKEN, TOKEN),
    "days of a token": { token_id: TOKEN, interval: "1d" },
    "days of a busy token": { token_id: BUSY_TOKEN, interval: "1d" },
    "an hour without gaps": { token_id: BUSY_TOKEN, fill: "previous", ...HOUR },
  }),
  ...requested(1101, {
    ...byKeys("ticker", BUSY_TICKER, TICKER),
    "days of a market": { ticker: TICKER, interval: "1d" },
    "days of a busy market": { ticker: BUSY_TICKER, interval: "1d" },
    "an hour without gaps": { ticker: BUSY_TICKER, fill: "previous", ...HOUR },
  }),
  ...requested(572, {
    ...byKeys("token_id", BUSY_TOKEN, TOKEN, HOUR),
    "at a moment": { token_id: BUSY_TOKEN, ...TIMESTAMP },
  }),
  ...requested(1102, {
    ...byKeys("ticker", BUSY_TICKER, TICKER, HOUR),
    "at a moment": { ticker: BUSY_TICKER, ...TIMESTAMP },
  }),
  ...requested(574, {
    largest: {},
    "largest open": { closed: "False", min_volume: "1000" },
    "a market": { condition_id: CONDITION },
    markets: { condition_id: CONDITIONS },
    "a slug": { market_slug: "market-7" },
    words: { market_slug: "rain day 77" },
    "an event": { event_slug: "event-7" },
  }),
  ...requested(565, {
    largest: {},
    "a market": { ticker: TICKER },
    "an event": { event_ticker: "KXEVENT-7" },
    words: { title: "rain day 77" },
  }),
  ...requested(575, {
    "most traded": {},
    "a market": { condition_id: CONDITION },
    markets: { condition_id: CONDITIONS },
    "a filter": { min_volume_24h: "999000" },
  }),
  ...requested(1107, { all: {}, "a slug": { slug: "tag-7" } }),
  ...requested(569, {
    "a wallet": { wallet: WALLET },
    wallets: { wallet: WALLETS },
    "a wallet on a day": { wallet: WALLET, ...DAY },
    "a wallet in a market": { wallet: WALLET, condition_id: CONDITION },
  }),
  ...requested(1003, { "a wallet": { proxy_wallet: WALLET }, wallets: { proxy_wallet: WALLETS } }),
  ...requested(586, { "a wallet": { wallet_address: WALLET }, wallets: { wallet_address: WALLETS } }),
  ...requested(581, {
    "a wallet": { proxy_wallet: WALLET },
    "a wallet as of a day": { proxy_wallet: WALLET, window_days: "15", ...AS_OF },
    "a wallet, all its time": { proxy_wallet: WALLET, window_days: "all" },
    "a busy wallet": { proxy_wallet: BUSY_WALLET },
    wallets: { proxy_wallet: WALLETS },
  }),
  ...requested(1001, {
    "a wallet": { proxy_wallet: WALLET },
    "a wallet as of a day": { proxy_wallet: WALLET, ...AS_OF },
    "a busy wallet": { proxy_wallet: BUSY_WALLET },
  }),
  ...requested(1002, { ...byKeys("proxy_wallet", BUSY_WALLET, WALLET), wallets: { proxy_wallet: WALLETS } }),
  ...requested(1004, {
    "a token": { token_id: TOKEN },
    "a busy token": { token_id: BUSY_TOKEN },
    "a market": { condition_id: CONDITION },
    "a market as of a day": { condition_id: CONDITION, ...AS_OF },
  }),
  ...requested(579, {
    "first making": {},
    "by a filter": { min_total_pnl: "1" },
    "a wallet": { wallet_address: WALLET },
    "first making of all time": { leaderboard_period: "all" },
  }),
  ...requested(584, { "first making": {}, "a wallet": { wallet: WALLET }, "by profit": { sort_by: "pnl" } }),
  ...requested(1006, { "a wallet": { wallet: WALLET }, wallets: { wallet: WALLETS } }),
  ...requested(1005, {
    "all markets": {},
    "one venue from a day": { venue: "kalshi", from_day: "2026-11-18" },
    "a wallet": { proxy_wallet: WALLET },
  }),
  ...requested(596, {
    "a token": { token_id: TOKEN },
    "a market": { condition_id: CONDITION },
    "every token": {},
    "every token of a day, in minutes": { resolution: "1m", ...DAY },
    robust: { method: "robust" },
  }),
  ...requested(585, {
    keywords: { keywords: "hockey" },
    "a week of keywords": { keywords: "hockey,Stanley Cup", hours_back: "168" },
    "a market": { condition_id: CONDITION },
    "a week of a market": { condition_id: CONDITION, hours_back: "168" },
  }),
  ...requested(1007, {
    keywords: { keywords: "hockey" },
    "a week of keywords": { keywords: "hockey,Stanley Cup", hours_back: "168" },
    "a week of a market": { condition_id: CONDITION, hours_back: "168" },
  }),
];
