import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCandles } from "../../../../exchange/src/kalshi/candles/make-candles.ts";
import { serveKalshi } from "../../../../exchange/src/kalshi/serve-kalshi.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { kalshiBookRestStream } from "../../../src/connectors/kalshi/book-rest.ts";
import { kalshiCandlesStream } from "../../../src/connectors/kalshi/candles.ts";
import { kalshiMarketsStream } from "../../../src/connectors/kalshi/markets.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import type { PullConnector } from "../../../src/definition/connector.ts";
import { bind, sql } from "../../../src/definition/sql.ts";
import { once } from "../../fixtures/once.ts";
import { openTestQuery } from "../../fixtures/open-test-query.ts";
import { openTestStore } from "../../fixtures/open-test-store.ts";
import { httpFeed } from "./http-feed.ts";
import { runPull } from "./run-pull.ts";

const FROM = Date.UTC(2026, 8, 20);
const NOW = FROM + 2 * 86_400_000;
const range = { from: new Date(FROM - 86_400_000).toISOString(), to: new Date(NOW).toISOString() };

let world: World;
let endpoint: Awaited<ReturnType<typeof serveKalshi>>;
let store: Awaited<ReturnType<typeof openTestStore>>;

beforeAll(async () => {
  world = createWorld({
    seed: 5,
    clock: () => NOW,
    from_ms: FROM,
    days: 2,
    events: 3,
    wallets: 200,
    activity: 0.3,
    kalshi_markets: 40,
  });
  endpoint = await serveKalshi({ world, host: "127.0.0.1", port: 0, keys: [], wall: Date.now });
  store = await openTestStore();
});

afterAll(async () => {
  await store.close();
  await endpoint.close();
});

const scaled = (text: string, by: number) => Math.round(Number(text) * by);
const figuresOf = (row: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  names.map((name) => (row[name] === null ? null : Number(row[name])));
const toCents = (e4: number | undefined) => (e4 === undefined ? null : e4 / 100);
/** A side without orders is quoted at zero or at a whole dollar. */
const toQuote = (e4: number) => (e4 === 0 || e4 === 10_000 ? null : e4 / 100);

/** Stores one cycle; returns the number of rows stored and of rows already known. */
async function take(connector: PullConnector, cycle: Parameters<typeof runPull>[2] = {}) {
  const { batches } = await runPull(connector, httpFeed(endpoint.kalshi_url), { now: () => NOW, ...cycle });
  let [stored, known] = [0, 0];
  for (const { table, rows, mode } of batches.flatMap((batch) => batch.rows)) {
    const inserted = await store.insert(table, rows, mode);
    stored += inserted.stored;
    known += inserted.known;
  }
  return { stored, known };
}

const takeCandles = once(() => take(kalshiCandlesStream, { range }));

describe("Kalshi's rows in the store", () => {
  it("trades: each is stored once, and a second walk stores nothing", async () => {
    expect(await take(kalshiTradesStream, { range })).toEqual({ stored: world.kalshi.trades.length, known: 0 });
    expect(await take(kalshiTradesStream, { range })).toEqual({ stored: 0, known: world.kalshi.trades.length });
    const [sums] = await store.rows<{ n: string; contracts: string; usd: string; yes: string }>(
      sql`SELECT toString(count()) AS n, toString(sum(count)) AS contracts, toString(sum(yes_price)) AS usd, toString(countIf(taker_side = 'yes')) AS yes FROM kalshi_trades`,
    );
    const sum = (pick: (trade: World["kalshi"]["trades"][number]) => number) =>
      world.kalshi.trades.reduce((total, trade) => total + pick(trade), 0);
    expect({ n: Number(sums?.n), yes: Number(sums?.yes) }).toEqual({
      n: world.kalshi.trades.length,
      yes: sum((trade) => Number(trade.taker_side === "yes")),
    });
    expect(Math.round(Number(sums?.contracts) * 100)).toBe(sum((trade) => trade.count_cc));
    expect(Math.round(Number(sums?.usd) * 10_000)).toBe(sum((trade) => trade.yes_price_e4));
    const [newest] = await store.rows<{ at: string }>(sql`SELECT toString(max(created_time)) AS at FROM kalshi_trades`);
    const last = Math.max(...world.kalshi.trades.map((trade) => trade.ms));
    expect(newest?.at.slice(0, 23)).toBe(new Date(last).toISOString().slice(0, 23).replace("T", " "));
    expect(newest?.at).toMatch(/\.\d{6}$/);
  });

  it("markets: one row each, unchanged by a second walk", async () => {
    await take(kalshiMarketsStream, { range });
    await take(kalshiMarketsStream);
    expect((await take(kalshiMarketsStream)).stored).toBe(0);
    const rows = await store.rows<{ ticker: string; status: string; result: string | null; close: string }>(
      sql`SELECT ticker, status, result, toString(close_time) AS close FROM kalshi_markets FINAL`,
    );
    const markets = world.kalshi.markets.filter(({ ticker }) => !ticker.startsWith("KXMVE"));
    expect(rows).toHaveLength(markets.length);
    for (const row of rows) {
      const market = world.kalshi.market(row.ticker);
      expect([row.status, row.result ?? ""]).toEqual([market?.status, market?.result]);
      expect(Date.parse(`${row.close.replace(" ", "T")}Z`)).toBe(market?.close_ms);
    }
  });

  it("candles: nulls and exact prices are stored unchanged", async () => {
    expect((await takeCandles()).stored).toBeGreaterThan(1000);
    expect((await take(kalshiCandlesStream, { range })).stored).toBe(0);
    const [sums] = await store.rows<{ volume: string; empty: string; wrong: string }>(
      sql`SELECT toString(sum(volume)) AS volume, toString(countIf(close IS NULL)) AS empty, toString(countIf((close IS NULL) != (volume = 0))) AS wrong FROM kalshi_candles FINAL WHERE period_minutes = ${bind("UInt32", 1)}`,
    );
    const traded = world.kalshi.trades.reduce((total, trade) => total + trade.count_cc, 0);
    expect(Math.round(Number(sums?.volume) * 100)).toBe(traded);
    expect(Number(sums?.empty)).toBeGreaterThan(0);
    expect(sums?.wrong).toBe("0");
  });

  it.each([
    ["1h", 60],
    ["1d", 1440],
  ] as const)("candles of %s equal those of the venue", async (interval, period_minutes) => {
    await takeCandles();
    const query = openTestQuery(store, () => NOW);
    const traded = world.kalshi.markets.filter((market) => market.status === "active" && market.trades().length > 0);
    expect(traded.length).toBeGreaterThan(0);
    for (const market of traded) {
      const [start_ts, end_ts] = [Date.parse(range.from) / 1000, NOW / 1000];
      const theirs = makeCandles(market, { start_ts, end_ts, period_minutes, reached_ms: NOW });
      const params = { ticker: market.ticker, interval, fill: "quotes", end_time: range.to };
      const rows = (await query.rows(1101, { params, pagination: { limit: 1000 } })).toReversed();
      expect(rows.map((row) => Date.parse(String(row["end_time"])) / 1000)).toEqual(theirs.map(({ end_ts: at }) => at));
      expect(rows.map((row) => figuresOf(row, ["open", "high", "low", "close", "volume", "open_interest"]))).toEqual(
        theirs.map(({ price, volume_cc, open_interest_cc }) => [
          ...[price?.open, price?.high, price?.low, price?.close].map(toCents),
          volume_cc / 100,
          open_interest_cc / 100,
        ]),
      );
      const sides = ["open", "high", "low", "close"] as const;
      const names = ["bid", "ask"].flatMap((side) => sides.map((one) => `${side}_${one}`));
      // A trade before the very first quote belongs to an empty book only in its own minute.
      expect(rows.slice(1).map((row) => figuresOf(row, names))).toEqual(
        theirs.slice(1).map(({ bid, ask }) => [bid, ask].flatMap((side) => sides.map((one) => toQuote(side[one])))),
      );
      for (const [index, { price }] of theirs.entries()) {
        if (price === null) expect(rows[index]?.["mean"]).toBeNull();
        else expect(Math.abs(Number(rows[index]?.["mean"]) - price.mean / 100)).toBeLessThan(0.02);
      }
    }
  });

  it("books: levels are stored in order, best last", async () => {
    const tickers = world.kalshi.markets.filter(({ status }) => status === "active").map(({ ticker }) => ticker);
    expect(await take(kalshiBookRestStream, { tickers })).toEqual({ stored: tickers.length, known: 0 });
    const rows = await store.rows<{
      instrument: string;
      bids: [string, string][];
      best_bid: string | null;
      at: string;
    }>(
      sql`SELECT instrument, arrayMap(x -> [toString(x.1), toString(x.2)], bids) AS bids, toString(best_bid) AS best_bid, toString(ts) AS at FROM book_events`,
    );
    expect(rows).toHaveLength(tickers.length);
    for (const row of rows) {
      const yes = world.kalshi.market(row.instrument)?.book().yes ?? [];
      expect(row.bids.map(([price, size]) => [scaled(price, 10_000), scaled(size, 100)])).toEqual(
        yes.map((level) => [level.price_e4, level.size_cc]),
      );
      expect(row.best_bid === null ? undefined : scaled(row.best_bid, 10_000)).toBe(yes.at(-1)?.price_e4);
      expect(row.at).toBe("2026-09-22 00:00:00.000");
    }
  });
});
