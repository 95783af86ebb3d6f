import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Rebuild } from "../../src/definition/derivation.ts";
import { sql } from "../../src/definition/sql.ts";
import { walletFold } from "../../src/derivations/wallet-fold.ts";
import type { Clock } from "../../src/ingest/clock.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { createKnown } from "../../src/ingest/known.ts";
import { rebuildAll } from "../../src/ingest/rebuild.ts";
import { rowTimestamp } from "../../src/ingest/timestamps.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { kalshiCandles } from "../../src/tables/kalshi-candles.ts";
import { kalshiMarkets } from "../../src/tables/kalshi-markets.ts";
import { kalshiTrades } from "../../src/tables/kalshi-trades.ts";
import { polymarketCandles } from "../../src/tables/polymarket-candles.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { polymarketPositionChanges } from "../../src/tables/polymarket-position-changes.ts";
import { polymarketTokens } from "../../src/tables/polymarket-tokens.ts";
import { tokenDays } from "../../src/tables/token-days.ts";
import { fillRow, minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";
import { quickClock } from "./clocks.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const quick: Clock = quickClock(100);

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

function open(clock: Clock = quick) {
  const deriver = createDeriver({ ...engines, derivations: [minuteCounts], clock });
  return { deriver, write: createWrite({ ...engines, deriver, announceKnown: false }) };
}

async function through(): Promise<number> {
  const row = await engines.db.selectFrom("derivations").select("through").executeTakeFirst();
  return row?.through?.getTime() ?? 0;
}

async function counts(): Promise<Record<string, string>> {
  const rows = await engines.store.rows<{ minute: string; trades: string }>(
    sql`SELECT toString(toUnixTimestamp(minute)) AS minute, toString(trade_count) AS trades FROM polymarket_candles_1m FINAL ORDER BY minute`,
  );
  return Object.fromEntries(rows.map(({ minute, trades }) => [String(Number(minute) - START), trades]));
}

describe("derive", () => {
  test("derives the touched minutes after a batch, and again when rows arrive late", async () => {
    const { deriver, write } = open();
    const stop = new AbortController();
    const running = deriver.run(stop.signal);
    await write("fills", { table: polymarketFills, rows: [fillRow(1, START), fillRow(2, START + 61)] });
    await expect.poll(counts).toEqual({ 0: "1", 60: "1" });
    await write("fills", { table: polymarketFills, rows: [fillRow(3, START + 1)] });
    await expect.poll(counts).toEqual({ 0: "2", 60: "1" });
    stop.abort();
    await running;
  });

  test("loses nothing in a crash before a cycle: the next start derives rows stored since", async () => {
    const first = open();
    // Never run, as if the process died right after the insert.
    await first.write("fills", { table: polymarketFills, rows: [fillRow(4, START + 120), fillRow(5, START + 121)] });
    expect(first.deriver.pending()).toEqual({ minute_counts: 1 });
    expect(await counts()).toEqual({ 0: "2", 60: "1" });
    const second = open();
    const stop = new AbortController();
    const running = second.deriver.run(stop.signal);
    await expect.poll(counts).toEqual({ 0: "2", 60: "1", 120: "2" });
    await expect
      .poll(async () => engines.db.selectFrom("derivations").select("name").execute())
      .toEqual([{ name: "minute_counts" }]);
    stop.abort();
    await running;
  });

  test("never moves the watermark past derived rows while other rows are in flight", async () => {
    let now = Date.now() + 3_600_000;
    const { deriver } = open({ ...quick, now: () => now });
    const stop = new AbortController();
    const running = deriver.run(stop.signal);
    await expect.poll(through).toBe(now - 10_000);
    const announce = deriver.begin(polymarketFills);
    const begun = now;
    now += 600_000;
    await expect.poll(through).toBe(begun - 10_000);
    announce([]);
    now += 600_000;
    await expect.poll(through).toBe(now - 10_000);
    stop.abort();
    await running;
  });

  test("looks up keys that do not fit in memory in the store, and forgets none", async () => {
    const deriver = createDeriver({ ...engines, derivations: [minuteCounts], clock: quick, maxPending: 2 });
    const write = createWrite({ ...engines, deriver, announceKnown: false });
    for (let minute = 0; minute < 10; minute += 1) {
      await write("fills", { table: polymarketFills, rows: [fillRow(100 + minute, START + 3600 + minute * 60)] });
    }
    expect(deriver.pending()).toEqual({ minute_counts: 3 });
    await deriver.flush();
    expect(deriver.pending()).toEqual({ minute_counts: 0 });
    const late = Object.keys(await counts()).filter((minute) => Number(minute) >= 3600);
    expect(late).toHaveLength(10);
  });

  test("looks up rows that could not be read although more rows arrive in every cycle", async () => {
    const [late, most] = [START + 4800, 20];
    let [arrived, arrivedBefore] = [0, most];
    const arrive = (): void => deriver.begin(polymarketFills)([fillRow(400, START + (arrived += 1) * 60)]);
    const busy = {
      ...minuteCounts,
      rebuild: (rebuild: Rebuild) => {
        if (rebuild.starts?.includes(late)) arrivedBefore = Math.min(arrivedBefore, arrived);
        if (arrived < most) arrive();
        return minuteCounts.rebuild(rebuild);
      },
    };
    const deriver = createDeriver({ ...engines, derivations: [busy], clock: quick });
    await engines.store.insert(polymarketFills, [fillRow(401, late)]);
    deriver.begin(polymarketFills)([{ ...fillRow(401, late), ts: "unreadable" }]);
    arrive();
    await deriver.flush();
    expect(arrivedBefore).toBeLessThan(most);
  });

  test("flushing some tables derives only the tables that depend on them", async () => {
    const worked: string[] = [];
    const named = (name: string, change: Partial<typeof minuteCounts>) => ({
      ...minuteCounts,
      into: kalshiCandles,
      ...change,
      name,
      rebuild: (rebuild: Rebuild) => (worked.push(name), minuteCounts.rebuild(rebuild)),
    });
    const derivations = [
      named("of_made", { from: polymarketCandles, timestamp: "minute" }),
      named("of_fills", { into: polymarketCandles }),
      named("of_kalshi", { from: kalshiTrades, timestamp: "created_time" }),
    ];
    const deriver = createDeriver({ ...engines, derivations, clock: quick });
    const write = createWrite({ ...engines, deriver, announceKnown: false });
    await write("fills", { table: polymarketFills, rows: [fillRow(200, START + 7000)] });
    deriver.begin(kalshiTrades)([{ created_time: START }]);
    await deriver.flush([kalshiMarkets]);
    expect(worked).toEqual([]);
    await deriver.flush([polymarketFills]);
    expect(worked).toEqual(["of_fills", "of_made"]);
    expect(deriver.pending()).toEqual({ of_made: 0, of_fills: 0, of_kalshi: 1 });
  });

  test("flushing a table that a fold reads also derives everything else that the fold reads", async () => {
    const worked: string[] = [];
    const named = (name: string, change: Partial<typeof minuteCounts>) => ({
      ...minuteCounts,
      ...change,
      name,
      rebuild: (rebuild: Rebuild) => (worked.push(name), minuteCounts.rebuild(rebuild)),
    });
    const derivations = [
      named("days_of_made", { from: polymarketCandles, timestamp: "minute", into: tokenDays }),
      named("of_fills", { into: polymarketCandles }),
      named("of_kalshi", { from: kalshiTrades, timestamp: "created_time", into: kalshiCandles }),
    ];
    const deriver = createDeriver({ ...engines, derivations, folds: [walletFold], clock: quick });
    deriver.begin(polymarketFills)([fillRow(500, START + 10_000)]);
    deriver.begin(kalshiTrades)([{ created_time: START }]);
    // No fold reads it.
    await deriver.flush([kalshiMarkets]);
    expect(worked).toEqual([]);
    await deriver.flush([polymarketPositionChanges]);
    expect(worked).toEqual(["of_fills", "days_of_made"]);
    expect(deriver.pending()).toMatchObject({ days_of_made: 0, of_fills: 0, of_kalshi: 1 });
  });

  test("during regular cycles, only keys of removed rows must be derived before a position is saved", async () => {
    const seldom = { ...minuteCounts, gatherSeconds: 1_000_000 };
    const deriver = createDeriver({ ...engines, derivations: [seldom], clock: quick });
    const stop = new AbortController();
    const running = deriver.run(stop.signal);
    // Its first cycle is over.
    const begun = await through();
    await expect.poll(through).not.toBe(begun);
    const [kept, left] = [fillRow(400, START + 9000), fillRow(401, START + 9060)];
    deriver.begin(polymarketFills)([kept]);
    await deriver.flushLeft([polymarketFills]);
    expect(deriver.pending()).toEqual({ minute_counts: 1 });
    deriver.begin(polymarketFills)([], [left]);
    await deriver.flushLeft([kalshiTrades]);
    expect(deriver.pending()).toEqual({ minute_counts: 2 });
    await deriver.flushLeft([polymarketFills]);
    expect(deriver.pending()).toEqual({ minute_counts: 0 });
    stop.abort();
    await running;
    deriver.begin(polymarketFills)([kept]);
    await deriver.flushLeft([polymarketFills]);
    expect(deriver.pending()).toEqual({ minute_counts: 0 });
  });

  test("a flush does not wait for rows stored while it runs", async () => {
    let now = Date.now();
    const { deriver } = open({ ...quick, now: () => now });
    const announce = (): void => deriver.begin(polymarketFills)([fillRow(300, START + 7200 + (now++ % 1000) * 60)]);
    const stored = setInterval(announce, 1);
    announce();
    await deriver.flush();
    clearInterval(stored);
    announce();
    expect(deriver.pending()["minute_counts"]).toBeGreaterThan(0);
    await deriver.flush();
    expect(deriver.pending()).toEqual({ minute_counts: 0 });
  });

  test("a rebuild of everything yields the same rows as the cycles", async () => {
    const before = await counts();
    await engines.store.run(sql`TRUNCATE TABLE polymarket_candles_1m`);
    const shares: number[] = [];
    const range = {
      from: new Date((START - 90_000) * 1000).toISOString(),
      to: new Date((START + 7200) * 1000).toISOString(),
    };
    const options = {
      store: engines.store,
      clock: quick,
      signal: new AbortController().signal,
      onProgress: ({ share }: { share: number }) => shares.push(share),
    };
    await rebuildAll(minuteCounts, range, options);
    expect(await counts()).toEqual(before);
    expect(shares.at(-1)).toBe(1);
    await rebuildAll(minuteCounts, range, options);
    expect(await counts()).toEqual(before);
  });
});

const market = (ticker: string, status: string, volume: string) => ({
  ticker,
  event_ticker: "E",
  series_ticker: "S",
  title: ticker,
  status,
  result: null,
  last_price: null,
  yes_bid: null,
  yes_ask: null,
  volume,
  volume_24h: volume,
  open_interest: "0",
  settlement_value: null,
  open_time: null,
  close_time: null,
  expiration_time: null,
  created_time: null,
  settled_time: null,
  category: "",
  market_type: "binary",
  updated_at: "2026-11-20T00:00:00Z",
});

describe("known", () => {
  test("answers from the store, up to a bounded number", async () => {
    const { store } = engines;
    const known = createKnown(store, () => (START + 1000) * 1000, { markets: 1 });
    expect(await known("tokens_without_market")).toEqual(["123456789012345678901234567890"]);
    await store.insert(polymarketTokens, [
      {
        token_id: "123456789012345678901234567890",
        condition_id: `0x${"ab".repeat(32)}`,
        outcome_index: 0,
        outcome: "Yes",
        slug: "a",
      },
    ]);
    expect(await known("tokens_without_market")).toEqual([]);
    await store.insert(polymarketFills, [{ ...fillRow(300, START), token_id: "12" }]);
    expect(await known("tokens_without_market")).toEqual(["12"]);
    expect(await known("tokens_without_market")).toEqual(["12"]);
    expect(await known("active_polymarket_tokens")).toEqual([]);
    await store.insert(kalshiMarkets, [
      market("A", "active", "1"),
      market("B", "active", "2"),
      market("C", "closed", "3"),
    ]);
    expect(await known("active_kalshi_tickers")).toEqual(["B"]);
  });
});

test("reads a row's timestamp from numbers and texts, in UTC", () => {
  for (const value of [
    START,
    START + 0.5,
    String(START),
    "2026-11-20T00:00:00.5Z",
    "2026-11-20 00:00:00",
    "2026-11-20T01:00:00+01:00",
  ]) {
    expect(rowTimestamp(value)).toBe(START);
  }
  expect(() => rowTimestamp("soon")).toThrow("not a timestamp");
});
