import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createKnown } from "../../src/ingest/known.ts";
import type { Store } from "../../src/store/store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { table } from "../fixtures/sample-rows.ts";
import { fillRow } from "./fill-rows.ts";

const START = Date.parse("2026-11-20T00:00:00Z") / 1000;
const HOUR_MS = 3_600_000;
const DAY = 86_400;

let store: Awaited<ReturnType<typeof openTestStore>>;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());
afterEach(() => vi.restoreAllMocks());

let traded = 0;
const polymarket = {
  question: "tokens_without_market",
  days: 7,
  trade: (token: string, at: number) =>
    store.insert(table("polymarket_fills"), [{ ...fillRow((traded += 1), at), token_id: token }]),
  list: (token: string) =>
    store.insert(table("polymarket_tokens"), [
      { token_id: token, condition_id: `0x${"ab".repeat(32)}`, outcome_index: 0, outcome: "Yes", slug: "a" },
    ]),
} as const;
const kalshi = {
  question: "kalshi_tickers_without_market",
  days: 1,
  trade: (ticker: string, at: number) =>
    store.insert(table("kalshi_trades"), [
      {
        created_time: new Date(at * 1000).toISOString(),
        trade_id: String((traded += 1)),
        ticker,
        count: "1",
        yes_price: "0.5",
        no_price: "0.5",
        taker_side: "yes",
      },
    ]),
  list: (ticker: string) =>
    store.insert(table("kalshi_markets"), [
      { ticker, event_ticker: "E", title: "T", status: "active", updated_at: "2026-11-20T00:00:00Z" },
    ]),
} as const;

/** Queries like a service at the venue's second; `looks` are the start times (Unix ms) of reads of stored trades. */
function lookout(question: (typeof polymarket | typeof kalshi)["question"], tokensWithoutMarket = 10) {
  const looks: number[] = [];
  const venue = { second: START + 100 };
  const watched: Store = {
    ...store,
    rows: (statement, reading) => {
      const since = statement.values.find(({ type }) => type === "Int64");
      if (since !== undefined) looks.push(Number(since.value));
      return store.rows(statement, reading);
    },
  };
  const known = createKnown(watched, () => venue.second * 1000, { tokensWithoutMarket });
  return { look: () => known(question), looks, venue };
}

describe.each([
  ["Polymarket", polymarket],
  ["Kalshi", kalshi],
] as const)("traded but unlisted instruments at %s", (_venue, { question, days, trade, list }) => {
  test("are returned again without reading their trades again", async () => {
    await trade("11", START);
    await trade("12", START + 10);
    const { look, looks, venue } = lookout(question);
    expect(await look()).toEqual(["12", "11"]);
    expect(await look()).toEqual(["12", "11"]);
    await list("12");
    await trade("13", START + 20);
    expect(await look()).toEqual(["13", "11"]);
    expect(looks.every((since, index) => (since === 0) === index < looks.length / 3)).toBe(true);
    await trade("11", START + 30);
    expect(await look()).toEqual(["11", "13"]);
    venue.second = START + days * DAY + 25;
    expect(await look()).toEqual(["11"]);
  });

  test("are looked up among all trades once an hour and after the clock went back, ignoring the cache", async () => {
    const { look, looks } = lookout(question);
    const wholeAt = async (laterMs: number): Promise<boolean> => {
      looks.length = 0;
      const now = Date.now();
      vi.spyOn(Date, "now").mockReturnValue(now + laterMs);
      await look();
      expect(new Set(looks).size).toBe(1);
      return looks[0] === 0;
    };
    expect([await wholeAt(0), await wholeAt(HOUR_MS), await wholeAt(0), await wholeAt(-60_000)]).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

test("finds the remaining unlisted instruments beyond the limit once the first ones are listed", async () => {
  const { look } = lookout("tokens_without_market", 1);
  const first = await look();
  expect(first).toHaveLength(1);
  await polymarket.list(first[0] as string);
  const second = await look();
  expect(second).toHaveLength(1);
  expect(second).not.toEqual(first);
});
