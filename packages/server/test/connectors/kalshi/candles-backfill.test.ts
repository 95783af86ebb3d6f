import { afterEach, describe, expect, it } from "vitest";
import { kalshiCandlesStream } from "../../../src/connectors/kalshi/candles.ts";
import { httpFeed } from "./http-feed.ts";
import { runPull } from "./run-pull.ts";
import { scriptedVenue, type Answer } from "./scripted-venue.ts";

const START = Date.UTC(2026, 6, 28) / 1000;
const DAYS = 20;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const range = { from: iso(START), to: iso(START + DAYS * 86_400) };

type Market = { readonly ticker: string; readonly minutes: readonly [from: number, to: number] };

/** Markets that left the live tier after being listed, and how many of their minutes were answered before that. */
const LEFT = new Map([
  ["LEFT-BEFORE", 0],
  ["LEFT-BETWEEN", 10_000],
]);
/** On the live tier, but absent from answers to batch requests. */
const ALONE = "NEVER-IN-A-BATCH";

const MARKETS: readonly Market[] = [
  ...Array.from({ length: 230 }, (_, at): Market => {
    return { ticker: `SHORT-${at}`, minutes: [Math.floor(at / 3) * 15, Math.floor(at / 3) * 15 + 14] };
  }),
  ...Array.from({ length: 7 }, (_, at): Market => ({ ticker: `DAY-${at}`, minutes: [300, 300 + 1439] })),
  { ticker: "LONG", minutes: [0, 12_345] },
  { ticker: "LEFT-BEFORE", minutes: [100, 160] },
  { ticker: "LEFT-BETWEEN", minutes: [2000, 14_000] },
  { ticker: ALONE, minutes: [40, 99] },
];
const secondOf = (minute: number): number => START + minute * 60;

const QUOTES = { open_dollars: "0.1000", high_dollars: "0.1000", low_dollars: "0.1000", close_dollars: "0.1000" };
const OLD = { open: "0.1000", high: "0.1000", low: "0.1000", close: "0.1000" };
const live = { price: {}, yes_bid: QUOTES, yes_ask: QUOTES, volume_fp: "0.00", open_interest_fp: "0.00" };
const historical = { price: {}, yes_bid: OLD, yes_ask: OLD, volume: "0.00", open_interest: "0.00" };

const toMarket = ({ ticker, minutes: [from, to] }: Market) => ({
  ticker,
  event_ticker: `E-${ticker}`,
  title: ticker,
  yes_sub_title: "",
  status: "finalized",
  result: "yes",
  yes_bid_dollars: "0.0000",
  yes_ask_dollars: "1.0000",
  last_price_dollars: "0.5000",
  volume_fp: "1.00",
  volume_24h_fp: "1.00",
  open_interest_fp: "1.00",
  open_time: iso(secondOf(from)),
  close_time: iso(secondOf(to)),
  settlement_ts: iso(secondOf(to) + 60),
});

/** Candles of a market's requested minutes, up to the minute at which it left. */
function candlesOf({ minutes: [from, to] }: Market, query: URLSearchParams, shape: object, until = Infinity) {
  const [start, end] = [Number(query.get("start_ts")), Number(query.get("end_ts"))];
  const candles: object[] = [];
  for (let minute = from; minute <= Math.min(to, until - 1); minute += 1) {
    const end_period_ts = secondOf(minute);
    if (end_period_ts >= start && end_period_ts <= end) candles.push(Object.assign({ end_period_ts }, shape));
  }
  return candles;
}

let venue: Awaited<ReturnType<typeof scriptedVenue>> | undefined;
afterEach(async () => {
  await venue?.close();
  venue = undefined;
});

function answer(path: string, query: URLSearchParams): Answer {
  const found = MARKETS.find(({ ticker }) => path.includes(`/markets/${ticker}/`));
  if (path.endsWith("/events"))
    return {
      body: {
        events: MARKETS.map(({ ticker }) => ({
          event_ticker: `E-${ticker}`,
          series_ticker: "S",
          title: "",
          category: "",
        })),
      },
    };
  if (path.endsWith("/historical/markets"))
    return { body: { markets: MARKETS.filter(({ ticker }) => LEFT.has(ticker)).map(toMarket), cursor: "" } };
  if (path.endsWith("/markets")) return { body: { markets: MARKETS.map(toMarket), cursor: "" } };
  if (found !== undefined) {
    const isHistorical = path.includes("/historical/");
    if (isHistorical !== LEFT.has(found.ticker)) return { status: 404, body: {} };
    const candlesticks = candlesOf(found, query, isHistorical ? historical : live);
    return { body: { ticker: found.ticker, candlesticks } };
  }
  const tickers = query.get("market_tickers")?.split(",") ?? [];
  const minutes = Math.floor((Number(query.get("end_ts")) - Number(query.get("start_ts")) + 1) / 60);
  if (tickers.length > 100 || tickers.length * minutes > 10_000) return { status: 400, body: {} };
  const markets = tickers.map((ticker) => {
    const market = MARKETS.find((one) => one.ticker === ticker);
    if (market === undefined || ticker === ALONE) return { market_ticker: ticker, candlesticks: [] };
    const until = market.minutes[0] + (LEFT.get(ticker) ?? Infinity);
    return { market_ticker: ticker, candlesticks: candlesOf(market, query, live, until) };
  });
  return { body: { markets } };
}

const keysOf = (rows: readonly Readonly<Record<string, unknown>>[]): string[] =>
  rows.map((row) => `${String(row["ticker"])} ${String(row["end_time"])}`);
const everyMinute = MARKETS.flatMap(({ ticker, minutes: [from, to] }) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${ticker} ${secondOf(from + at)}`),
);

describe("a backfill of candles", () => {
  it("requests many markets per call and gets every minute, even of markets that leave the live tier meanwhile", async () => {
    venue = await scriptedVenue(answer);
    const { rows, last } = await runPull(kalshiCandlesStream, httpFeed(venue.url), { range });
    expect(new Set(keysOf(rows))).toEqual(new Set(everyMinute));
    expect(last).toMatchObject({ isCaughtUp: true, since: range.from });
    const calls = (part: string) => venue?.requested.filter((path) => path.includes(part)) ?? [];
    // 232 short markets in 6 calls, 7 day-long ones in 2, two long ones in two windows each.
    expect(calls("/markets/candlesticks").length).toBeLessThanOrEqual(12);
    expect(calls("/series/").map((path) => /markets\/([^/]+)/.exec(path)?.[1])).toEqual(
      expect.arrayContaining([ALONE, "LEFT-BEFORE", "LEFT-BETWEEN"]),
    );
    expect(calls("/series/")).toHaveLength(3);
  });

  it("continues from any saved cursor", async () => {
    venue = await scriptedVenue(answer);
    const { batches } = await runPull(kalshiCandlesStream, httpFeed(venue.url), { range });
    for (const [index, { cursor }] of batches.entries()) {
      const before = batches.slice(0, index + 1).flatMap((batch) => batch.rows.flatMap((part) => part.rows));
      const rest = await runPull(kalshiCandlesStream, httpFeed(venue.url), { range, cursor });
      expect(new Set([...keysOf(before), ...keysOf(rest.rows)])).toEqual(new Set(everyMinute));
    }
  });
});
