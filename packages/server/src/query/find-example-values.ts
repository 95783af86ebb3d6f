import type { Ask } from "./answer.ts";
import { inTime } from "../definition/pacing.ts";
import { EXAMPLE_SAMPLE, type ExampleKind, type ExampleValues } from "../definition/example-values.ts";

type Params = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;
export type AskRows = (agentId: number, params: Params, limit: number) => Promise<readonly Row[]>;

const HOUR_MS = 3_600_000;
const LIFE_MS = 60_000;
/** Refresh interval while some values still come from the sample: a newly started service gains data all the time. */
const SAMPLE_LIFE_MS = 15_000;
const FIRST_MS = 10_000;
const tooLate = (): Error => new Error("the engine is busy");
const ignored = (): void => undefined;
const MAX_OUTPUT = 30;
const MAX_ROWS = 200;
/** Number of recent trades to choose from: the most traded markets are followed and have active books. */
const NEWEST = 20;
const MAX_MARKETS = 5;
const MAX_WALLETS = 10;

/** Queries by kind of value; the most frequent value of the field among the first rows is taken. */
const QUESTIONS: Partial<
  Record<ExampleKind, readonly [agentId: number, params: Params, field: string, rows?: number]>
> = {
  // In a small data set no wallet may reach the default minimum.
  scored_wallet: [584, { min_pnl_15d: "0", min_total_trades_15d: "1" }, "wallet"],
  sender: [1106, {}, "from_wallet"],
  redeemer: [1104, { kind: "redemption" }, "proxy_wallet"],
  condition: [574, { closed: "False" }, "condition_id"],
  resolved_condition: [1105, {}, "condition_id"],
  traded_slug: [556, { side: "BUY", min_usd: "1000" }, "slug"],
  token: [556, {}, "token_id", NEWEST],
  title_word: [565, { status: "open" }, "title"],
  market_words: [574, { closed: "False" }, "question"],
  tag: [1107, {}, "slug"],
};

const dayBefore = (nowMs: number, days: number): string =>
  new Date(nowMs - days * 24 * HOUR_MS).toISOString().slice(0, 10);
const timestampOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Finds example values in what the service stores, through its own datasets; falls back to the sample's values. */
export async function findExampleValues(ask: AskRows, nowMs: number): Promise<ExampleValues> {
  const found = await Promise.all(
    Object.entries(QUESTIONS).map(async ([kind, [agentId, params, field, rows = 1]]) => {
      const value = mostFrequent((await ask(agentId, params, rows)).map((row) => row[field]));
      if (value === undefined) return [];
      return [[kind, kind === "title_word" || kind === "market_words" ? longestWord(value) : value]];
    }),
  );
  return {
    ...EXAMPLE_SAMPLE.values,
    ...Object.fromEntries(found.flat()),
    ...(await findWallet(ask, nowMs)),
    ...(await findTicker(ask, nowMs)),
    ...(await findPrinted(ask, nowMs)),
    ...(await findTalk(ask)),
    ...daysOf(nowMs),
  };
}

/**
 * The same for a service in this process, refreshed every minute, or sooner while values are missing. Until a refresh
 * ends the previous values are returned (the sample's if the first takes long), so that no request waits for a busy
 * engine. A value that cannot be queried counts as missing.
 */
export function keepExampleValues(ask: Ask, now: () => number): () => Promise<ExampleValues> {
  const anyone = { mayRead: () => true, maxPage: MAX_ROWS, mode: "strict" } as const;
  const rows: AskRows = async (agentId, params, limit) => {
    const body = { agent_id: agentId, params, pagination: { limit } };
    const answer = await ask(body, anyone, undefined).catch(() => undefined);
    return answer === undefined ? [] : (JSON.parse(answer.body.toString("utf8")) as Row[]);
  };
  let last: ExampleValues | undefined;
  let begun = Number.NEGATIVE_INFINITY;
  /** One at a time, so as not to add load to a busy engine. */
  let isLooking = false;
  /** All wait for the same first search; callers after its deadline do not wait. */
  let first: Promise<ExampleValues> | undefined;
  return async () => {
    if (!isLooking && now() - begun > (last !== undefined && isOwn(last) ? LIFE_MS : SAMPLE_LIFE_MS)) {
      [begun, isLooking] = [now(), true];
      const values = findExampleValues(rows, begun).finally(() => (isLooking = false));
      values.then((found) => (last = found), ignored);
      first ??= inTime(values, FIRST_MS, tooLate).catch(() => EXAMPLE_SAMPLE.values);
    }
    return last ?? (await (first ?? EXAMPLE_SAMPLE.values));
  };
}

const isOwn = (values: ExampleValues): boolean =>
  Object.entries(values).every(([kind, value]) => value !== EXAMPLE_SAMPLE.values[kind as ExampleKind]);

/**
 * A wallet that had traded by the end of yesterday, since examples also query it as of then; any wallet if all data is
 * from today. Takes the first of the best wallets that holds a position.
 */
async function findWallet(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const byYesterday = { as_of: dayBefore(nowMs, 1), min_total_trades: "1" };
  for (const params of [byYesterday, {}]) {
    const best = (await ask(579, params, MAX_WALLETS)).map((row) => String(row["address"]));
    if (best.length === 0) continue;
    const held = await ask(1001, { proxy_wallet: best.join(",") }, MAX_ROWS);
    const holders = new Set(held.map((row) => row["proxy_wallet"]));
    return { wallet: best.find((wallet) => holders.has(wallet)) ?? String(best[0]) };
  }
  return {};
}

/**
 * The first of the last traded Kalshi markets that has candles and a book as of a minute ago: a market just opened has
 * neither, one that ended before it was followed has no book.
 */
async function findTicker(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const { a_minute_ago: timestamp } = daysOf(nowMs);
  const trades = await ask(573, { start_time: timestampOf(nowMs - 24 * HOUR_MS) }, NEWEST);
  const ticker = await firstThat(byFrequency(trades.map((row) => row["ticker"])), async (one) => {
    const answers = [
      ask(1102, { ticker: one, start_time: timestamp, end_time: timestamp }, 1),
      ask(1101, { ticker: one }, 1),
    ];
    return (await Promise.all(answers)).every((rows) => rows.length > 0);
  });
  return ticker === undefined ? {} : { ticker };
}

/**
 * The first of the last traded tokens, by their prints, that has a book as of a minute ago: both come over a socket,
 * and a token followed late may have none.
 */
async function findPrinted(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const { a_minute_ago: timestamp } = daysOf(nowMs);
  const traded = new Set((await ask(556, {}, MAX_ROWS)).map((row) => String(row["token_id"])));
  if (traded.size === 0) return {};
  const prints = await ask(1103, { token_id: [...traded].join(",") }, MAX_ROWS);
  const token = await firstThat(
    byFrequency(prints.map((row) => row["token_id"])),
    async (one) => (await ask(572, { token_id: one, start_time: timestamp, end_time: timestamp }, 1)).length > 0,
  );
  return token === undefined ? {} : { token };
}

/** The first of a few candidates that passes the test; if none does, the first. */
async function firstThat(
  values: readonly string[],
  isSo: (value: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const value of values.slice(0, MAX_MARKETS)) if (await isSo(value)) return value;
  return values[0];
}

/** One of the largest markets mentioned in the last hour, and a word from a mention. */
async function findTalk(ask: AskRows): Promise<Partial<ExampleValues>> {
  const markets = (await ask(574, { closed: "False" }, MAX_OUTPUT)).map((row) => String(row["condition_id"]));
  if (markets.length === 0) return {};
  // One query for all: most markets of a quiet data set have no mentions, and each would cost a query.
  const params = { condition_id: markets.join(","), source: "bluesky", hours_back: "1" };
  const posts = await ask(585, params, MAX_ROWS);
  for (const condition of markets) {
    const post = posts.find((row) => (row["condition_ids"] as readonly string[]).includes(condition));
    if (post) return { talked_condition: condition, word: longestWord(String(post["content"])) };
  }
  return {};
}

function byFrequency(values: readonly unknown[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values)
    if (typeof value === "string" && value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([value]) => value);
}

const mostFrequent = (values: readonly unknown[]): string | undefined => byFrequency(values)[0];

/** Letters next to digits, as in %3Cscript, are not a search word. */
const WHOLE_WORD = /(?<![\p{L}\p{N}])\p{L}{3,}(?![\p{L}\p{N}])/gu;
const longestWord = (text: string): string =>
  (text.match(WHOLE_WORD) ?? [text]).reduce((longest, word) => (word.length > longest.length ? word : longest));

function daysOf(nowMs: number) {
  return {
    today: dayBefore(nowMs, 0),
    yesterday: dayBefore(nowMs, 1),
    week_ago: dayBefore(nowMs, 7),
    quarter_ago: dayBefore(nowMs, 90),
    ten_minutes_ago: timestampOf(nowMs - HOUR_MS / 6),
    a_minute_ago: timestampOf(nowMs - HOUR_MS / 60),
  };
}
