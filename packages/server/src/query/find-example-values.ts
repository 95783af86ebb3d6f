import type { Ask } from "./answer.ts";
import { inTime } from "../definition/in-time.ts";
import { EXAMPLE_SAMPLE, type ExampleKind, type ExampleValues } from "../definition/example-values.ts";

type Params = Readonly<Record<string, string>>;
type Row = Readonly<Record<string, unknown>>;
export type AskRows = (agentId: number, params: Params, limit: number) => Promise<readonly Row[]>;

const HOUR_MS = 3_600_000;
const LIFE_MS = 60_000;
/** While some are still the sample's: a service that was just begun holds more with every moment. */
const SAMPLE_LIFE_MS = 15_000;
const FIRST_MS = 10_000;
const tooLate = (): Error => new Error("the engine is busy");
const ignored = (): void => undefined;
const MOST_TALK = 30;
const MOST_ROWS = 200;
/** What is traded most among so many trades is followed, and much goes on in its book. */
const NEWEST = 20;
const MOST_MARKETS = 5;
const MOST_WALLETS = 10;

/** The question whose first rows hold the value most often, and in which field. */
const QUESTIONS: Partial<
  Record<ExampleKind, readonly [agentId: number, params: Params, field: string, rows?: number]>
> = {
  // In a small world nobody earns what is asked for where no amount is.
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
const momentOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Values for examples from what a service holds, by its own datasets; those of the sample where it holds none. */
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
 * The same of a service in this process, found anew every minute, and sooner while it lacks some; meanwhile the ones before are given, and those of
 * the sample where the first take long: nobody waits for a busy engine. What cannot be asked now counts as not held.
 */
export function keepExampleValues(ask: Ask, now: () => number): () => Promise<ExampleValues> {
  const anyone = { mayRead: () => true, maxPage: MOST_ROWS, mode: "strict" } as const;
  const rows: AskRows = async (agentId, params, limit) => {
    const body = { agent_id: agentId, params, pagination: { limit } };
    const answer = await ask(body, anyone, undefined).catch(() => undefined);
    return answer === undefined ? [] : (JSON.parse(answer.body.toString("utf8")) as Row[]);
  };
  let last: ExampleValues | undefined;
  let begun = Number.NEGATIVE_INFINITY;
  /** One at a time: a busy engine is asked no more for it. */
  let isLooking = false;
  /** Waited for together: who comes after its time waits no more. */
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
 * A wallet that traded by the end of yesterday, since examples ask for it as of then too; in a world of today any. Of the
 * best the first that holds something.
 */
async function findWallet(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const byYesterday = { as_of: dayBefore(nowMs, 1), min_total_trades: "1" };
  for (const params of [byYesterday, {}]) {
    const best = (await ask(579, params, MOST_WALLETS)).map((row) => String(row["address"]));
    if (best.length === 0) continue;
    const held = await ask(1001, { proxy_wallet: best.join(",") }, MOST_ROWS);
    const holders = new Set(held.map((row) => row["proxy_wallet"]));
    return { wallet: best.find((wallet) => holders.has(wallet)) ?? String(best[0]) };
  }
  return {};
}

/**
 * Of the Kalshi markets traded last the first with candles and with a book as it stood a minute ago: one that was just
 * opened has neither, one that ended before it was followed no book.
 */
async function findTicker(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const { a_minute_ago: moment } = daysOf(nowMs);
  const trades = await ask(573, { start_time: momentOf(nowMs - 24 * HOUR_MS) }, NEWEST);
  const ticker = await firstThat(byFrequency(trades.map((row) => row["ticker"])), async (one) => {
    const answers = [
      ask(1102, { ticker: one, start_time: moment, end_time: moment }, 1),
      ask(1101, { ticker: one }, 1),
    ];
    return (await Promise.all(answers)).every((rows) => rows.length > 0);
  });
  return ticker === undefined ? {} : { ticker };
}

/**
 * Of the tokens traded last, by their prints, the first with a book as it stood a minute ago: both come over a socket,
 * and a token that is followed late may have none.
 */
async function findPrinted(ask: AskRows, nowMs: number): Promise<Partial<ExampleValues>> {
  const { a_minute_ago: moment } = daysOf(nowMs);
  const traded = new Set((await ask(556, {}, MOST_ROWS)).map((row) => String(row["token_id"])));
  if (traded.size === 0) return {};
  const prints = await ask(1103, { token_id: [...traded].join(",") }, MOST_ROWS);
  const token = await firstThat(
    byFrequency(prints.map((row) => row["token_id"])),
    async (one) => (await ask(572, { token_id: one, start_time: moment, end_time: moment }, 1)).length > 0,
  );
  return token === undefined ? {} : { token };
}

/** The first of a few that is so; where none is, the first. */
async function firstThat(
  values: readonly string[],
  isSo: (value: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const value of values.slice(0, MOST_MARKETS)) if (await isSo(value)) return value;
  return values[0];
}

/** One of the largest markets of which something was said in the last hour, and a word of that. */
async function findTalk(ask: AskRows): Promise<Partial<ExampleValues>> {
  const markets = (await ask(574, { closed: "False" }, MOST_TALK)).map((row) => String(row["condition_id"]));
  if (markets.length === 0) return {};
  // Of all of them at once: most markets of a quiet world have none, and each was a question.
  const params = { condition_id: markets.join(","), source: "bluesky", hours_back: "1" };
  const posts = await ask(585, params, MOST_ROWS);
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

/** Letters beside figures, as in %3Cscript, are no word for a search. */
const WHOLE_WORD = /(?<![\p{L}\p{N}])\p{L}{3,}(?![\p{L}\p{N}])/gu;
const longestWord = (text: string): string =>
  (text.match(WHOLE_WORD) ?? [text]).reduce((longest, word) => (word.length > longest.length ? word : longest));

function daysOf(nowMs: number) {
  return {
    today: dayBefore(nowMs, 0),
    yesterday: dayBefore(nowMs, 1),
    week_ago: dayBefore(nowMs, 7),
    quarter_ago: dayBefore(nowMs, 90),
    ten_minutes_ago: momentOf(nowMs - HOUR_MS / 6),
    a_minute_ago: momentOf(nowMs - HOUR_MS / 60),
  };
}
