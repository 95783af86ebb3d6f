import { afterAll, beforeAll, expect, test } from "vitest";
import { bookQuotesFromEvents } from "../../src/derivations/book-quotes.ts";
import { tokenDaysFromMinutes } from "../../src/derivations/token-days.ts";
import { runWhole } from "../../src/ingest/rebuild.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { tokenDays } from "../../src/tables/token-days.ts";
import { sql } from "../../src/definition/sql.ts";

const TOKEN = "77";
const WHOLE = { from: "2020-01-01 00:00:00", to: "2030-01-01 00:00:00", starts: undefined, version: "1" };

let store: Awaited<ReturnType<typeof openTestStore>>;
let query: ReturnType<typeof openTestQuery>;
beforeAll(async () => {
  store = await openTestStore();
  query = openTestQuery(store);
  const event = (time: string, best_bid: string | null, best_ask: string | null) => ({
    instrument: TOKEN,
    ts: `2026-06-01T${time}.000Z`,
    seq: 0,
    kind: "snapshot",
    venue: "polymarket",
    bids: [],
    asks: [],
    best_bid,
    best_ask,
    hash: "",
  });
  await store.insert(bookEvents, [
    event("11:59:10", null, "0.600000"),
    event("11:59:40", "0.380000", "0.580000"),
    event("12:00:10", "0.400000", "0.550000"),
    event("12:00:40", "0.980000", null),
  ]);
  await store.insert(polymarketCandles, [
    {
      token_id: TOKEN,
      minute: Date.UTC(2026, 5, 1, 12) / 1000,
      open: "0.98",
      high: "0.98",
      low: "0.98",
      close: "0.98",
      price_sum: "0.98",
      volume: "1",
      volume_usd: "0.98",
      trade_count: 1,
    },
  ]);
  for (const derivation of [bookQuotesFromEvents, tokenDaysFromMinutes]) await runWhole(derivation, store, WHOLE);
});
afterAll(() => store.close());

const quotesOf = async (interval: string): Promise<unknown[]> => {
  const found = await query.rows(568, { params: { token_id: TOKEN, interval, fill: "quotes" } });
  return found.map(({ bid_open, bid_high, bid_close, ask_open, ask_low, ask_close, spread }) => [
    [bid_open, bid_high, bid_close],
    [ask_open, ask_low, ask_close],
    spread,
  ]);
};

test("a side that is empty when a minute opens or closes has no price for that open or close", async () => {
  expect(await quotesOf("1m")).toEqual([
    [["0.400000", "0.980000", "0.980000"], ["0.550000", "0.550000", null], null],
    [[null, "0.380000", "0.380000"], ["0.600000", "0.580000", "0.580000"], "0.200000"],
  ]);
});

test("a side that is empty when a longer candle opens or closes has no price for that open or close", async () => {
  expect(await quotesOf("1d")).toEqual([[[null, "0.980000", "0.980000"], ["0.600000", "0.550000", null], null]]);
});

test("a day that ends with an empty side takes its mark from the last trade", async () => {
  const found = await store.rows(
    sql`SELECT toString(trade_close) AS trade_close, mid_close, toString(mark) AS mark FROM ${tokenDays} FINAL`,
  );
  expect(found).toEqual([{ trade_close: "0.98", mid_close: null, mark: "0.98" }]);
});
