import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table, tokenId } from "../fixtures/sample-rows.ts";

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;

const TICKER = "KXMARS-1";
const at = (text: string): number => Date.parse(text) / 1000;
/** Two trades two days apart; then two years without trades, and one trade. */
const TRADES = [
  ["2026-03-07T12:00:00Z", "0.4"],
  ["2026-03-09T12:02:00Z", "0.5"],
  ["2028-03-09T12:02:00Z", "0.6"],
] as const;
const QUOTED = ["2026-03-07T11:00:00Z", "2026-03-07T13:00:00Z", "2029-01-01T00:00:00Z"];

const prices = (price: string | null) => ({ open: price, high: price, low: price, close: price });
const quiet = (day: string): unknown[] => [`${day}T00:00:00Z`, 0.4, 0];

beforeAll(async () => {
  store = await openTestStore();
  await store.insert(
    table("polymarket_candles_1m"),
    TRADES.map(([minute, price]) => ({
      token_id: tokenId(0),
      minute: at(minute),
      ...prices(price),
      volume: "5",
      volume_usd: "2",
      price_sum: price,
      trade_count: 1,
    })),
  );
  const none = { bid_open: null, bid_high: null, bid_low: null, ask_open: null, ask_high: null, ask_low: null };
  await store.insert(
    table("book_quotes_1m"),
    QUOTED.map((minute) => ({
      ...none,
      instrument: tokenId(0),
      minute: at(minute),
      bid_close: "0.3",
      ask_close: "0.9",
    })),
  );
  const sides = ["bid", "ask"].flatMap((side) => ["open", "high", "low", "close"].map((end) => `yes_${side}_${end}`));
  const candle = (end: string, price: string | null) => ({
    ...Object.fromEntries(sides.map((side) => [side, null])),
    ...prices(price),
    ticker: TICKER,
    period_minutes: 1,
    end_time: at(end),
    mean: price,
    volume: price === null ? "0" : "5",
    open_interest: "7",
  });
  await store.insert(table("kalshi_candles"), [
    ...TRADES.map(([end, price]) => candle(end, price)),
    ...QUOTED.map((end) => candle(end, null)),
  ]);
  query = openTestQuery(store);
});
afterAll(() => store.close());

type Params = Readonly<Record<string, string>>;
type Requested = { readonly params: Params; readonly limit?: number };

const candles = async ({ params, limit = 500 }: Requested) => {
  const rows = await query.rows(568, { params: { token_id: tokenId(0), ...params }, pagination: { limit } });
  return rows.map((row) => [row["candle_time"], row["close"] && Number(row["close"]), Number(row["volume"])]);
};
const DAYS = { interval: "1d", fill: "previous" };

describe("the fill parameter", () => {
  test("none, the default: returns only candles with trades", async () => {
    const traded = TRADES.map(([minute, price]) => [minute, Number(price), 5]).toReversed();
    expect(await candles({ params: {} })).toEqual(traded);
    expect(await candles({ params: { fill: "none" } })).toEqual(traded);
  });

  test("quotes: also returns candles with quotes only, with null prices", async () => {
    const rows = await candles({ params: { fill: "quotes", end_time: "2026-03-08" } });
    expect(rows).toEqual([
      ["2026-03-07T13:00:00Z", null, 0],
      ["2026-03-07T12:00:00Z", 0.4, 5],
      ["2026-03-07T11:00:00Z", null, 0],
    ]);
  });

  test("previous: fills from the first trade to the last one, whatever the range", async () => {
    const first = ["2026-03-07T00:00:00Z", 0.4, 5];
    expect(await candles({ params: { ...DAYS, end_time: "2026-03-08" } })).toEqual([quiet("2026-03-08"), first]);
    expect(await candles({ params: { ...DAYS, start_time: "2020-01-01", end_time: "2026-03-08" } })).toEqual([
      first,
      quiet("2026-03-08"),
    ]);
    expect(await candles({ params: { ...DAYS, start_time: "2026-03-08", end_time: "2026-03-08" } })).toEqual([
      quiet("2026-03-08"),
    ]);
    expect(await candles({ params: { ...DAYS, start_time: "2028-03-10" } })).toEqual([]);
    expect(await candles({ params: { ...DAYS }, limit: 2 })).toEqual([
      ["2028-03-09T00:00:00Z", 0.6, 5],
      ["2028-03-08T00:00:00Z", 0.5, 0],
    ]);
  });

  test("previous: filled candles keep their own quotes", async () => {
    const params = { token_id: tokenId(0), interval: "1h", fill: "previous", start_time: "2026-03-07T12:00:00Z" };
    const [, quoted, later] = await query.rows(568, { params, pagination: { limit: 3 } });
    expect([quoted?.["open"], quoted?.["bid_close"], quoted?.["ask_close"]].map(Number)).toEqual([0.4, 0.3, 0.9]);
    expect([later?.["bid_close"], later?.["mean"], later?.["vwap"], later?.["trade_count"]]).toEqual([
      null,
      null,
      null,
      0,
    ]);
  });

  test("previous: uses days of a time zone, including changes to daylight saving time", async () => {
    for (const [tz, times] of [
      ["America/New_York", ["2026-03-07T05:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"]],
      ["Australia/Adelaide", ["2026-03-06T13:30:00Z", "2026-03-07T13:30:00Z", "2026-03-08T13:30:00Z"]],
      // Daylight saving time begins at midnight of the 8th.
      ["America/Havana", ["2026-03-07T05:00:00Z", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z"]],
    ] as const) {
      const requested = { ...DAYS, tz, start_time: "2026-03-07T12:00:00Z", end_time: "2026-03-09T12:00:00Z" };
      expect((await candles({ params: requested })).map(([time]) => time)).toEqual(times);
      const from = { ...requested, start_time: "2026-03-08T12:00:00Z" };
      expect((await candles({ params: from })).map(([time]) => time)).toEqual(times.slice(1));
    }
  });
});

describe("paging over two years without trades", () => {
  const whole: Params = { fill: "previous", interval: "1d" };
  test.each([
    [568, { token_id: tokenId(0), ...whole }, "candle_time"],
    [568, { token_id: tokenId(0), ...whole, start_time: "2026-01-01" }, "candle_time"],
    [1101, { ticker: TICKER, ...whole }, "end_time"],
    [1101, { ticker: TICKER, ...whole, start_time: "2026-01-01" }, "end_time"],
  ] as const)("%i %o returns every day in order, page by page", async (agentId, params, field) => {
    const all = await query.rows(agentId, { params, pagination: { limit: 1000 } });
    const times = all.map((row) => String(row[field]));
    expect(times).toHaveLength(734);
    const days = times.map(Date.parse);
    const step = "start_time" in params ? 86_400_000 : -86_400_000;
    for (const [index, day] of days.slice(1).entries()) expect(day - (days[index] ?? 0)).toBe(step);
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const pagination: Record<string, unknown> = { limit: 100, ...(cursor === null ? {} : { cursor }) };
      const page = await query.answer(agentId, { params, pagination });
      for (const row of JSON.parse(page.body.toString("utf8")) as Record<string, unknown>[])
        walked.push(String(row[field]));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(times);
  });

  test.each([{}, { start_time: "2026-03-07" }])("returns the same page as CSV, with %o", async (from) => {
    const params = { token_id: tokenId(0), ...whole, ...from };
    const first = await query.answer(568, { params, pagination: { limit: 3 } });
    const pagination = { limit: 3, cursor: first.nextCursor ?? "" };
    const rows = await query.rows(568, { params, pagination });
    const csv = await query.answer(568, { params, pagination, format: "csv" });
    const lines = csv.body.toString("utf8").trim().split("\n").slice(1);
    expect(lines.map((line) => line.split(",")[0]?.replaceAll('"', ""))).toEqual(rows.map((row) => row["candle_time"]));
    expect(csv.nextCursor !== null).toBe(true);
  });

  test("returns one page out of a million filled minutes", async () => {
    const params = { token_id: tokenId(0), fill: "previous", end_time: "2028-03-01" };
    const rows = await query.rows(568, { params, pagination: { limit: 2, offset: 1000 } });
    expect(rows.map((row) => [row["candle_time"], Number(row["close"])])).toEqual([
      ["2028-03-01T07:19:00Z", 0.5],
      ["2028-03-01T07:18:00Z", 0.5],
    ]);
  });
});
