import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { thoroughly } from "../../../../../scripts/vitest/test-levels.ts";
import { makeDemoKey } from "../../../../exchange/src/kalshi/access/api-access.ts";
import { serveKalshi } from "../../../../exchange/src/kalshi/serve-kalshi.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { KalshiMarket } from "../../../../exchange/src/world/kalshi-contract.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { kalshiBookRestStream } from "../../../src/connectors/kalshi/book-rest.ts";
import { kalshiBookStream } from "../../../src/connectors/kalshi/book.ts";
import { kalshiCandlesStream } from "../../../src/connectors/kalshi/candles.ts";
import { kalshiMarketsStream } from "../../../src/connectors/kalshi/markets.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import type { Cursor, Feed } from "../../../src/definition/connector.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import { httpFeed } from "./http-feed.ts";
import { replay } from "./replay.ts";
import { runPull } from "./run-pull.ts";

const FROM = Date.UTC(2026, 8, 20);
const DAYS = 3;
const START = FROM + DAYS * 86_400_000;
const e4 = (text: unknown) => (text === null ? null : Math.round(Number(text) * 10_000));
const cc = (text: unknown) => Math.round(Number(text) * 100);
const quote = (value: number | null) => (value === 0 || value === 10_000 ? null : value);
const byTicker = (rows: readonly InsertRow[]) => new Map(rows.map((row) => [String(row["ticker"]), row]));

let now = START;
let world: World;
let endpoint: Awaited<ReturnType<typeof serveKalshi>>;
const key = makeDemoKey();
const clock = () => now;
const feed = () => httpFeed(endpoint.kalshi_url);
const active = () => world.kalshi.markets.filter((market) => market.status === "active");
/** A backfill is continued from this many saved cursors, plus one. */
const PLACES = thoroughly(7, 2);
const range = { from: new Date(FROM - 86_400_000).toISOString(), to: new Date(START).toISOString() };

beforeAll(async () => {
  world = createWorld({
    seed: 11,
    clock,
    from_ms: FROM,
    days: DAYS,
    events: 3,
    wallets: 200,
    activity: 0.3,
    kalshi_markets: 60,
  });
  endpoint = await serveKalshi({ world, host: "127.0.0.1", port: 0, keys: [key], wall: Date.now });
});
afterAll(() => endpoint.close());

/** Backfills of the initial world, shared by several tests. */
const walked = new Map<string, ReturnType<typeof runPull>>();
function backfillOf(connector: Parameters<typeof runPull>[0]): ReturnType<typeof runPull> {
  const walk = walked.get(connector.name) ?? runPull(connector, feed(), { range, now: clock });
  walked.set(connector.name, walk);
  return walk;
}

describe("against the paper exchange", () => {
  it("reads every market as the world has it, by a live cycle and a backfill", async () => {
    const live = await runPull(kalshiMarketsStream, feed(), { now: clock });
    const past = await backfillOf(kalshiMarketsStream);
    const rows = byTicker([...past.rows, ...live.rows]);
    expect([...rows.keys()].sort()).toEqual(
      world.kalshi.markets
        .filter(isPlain)
        .map((market) => market.ticker)
        .sort(),
    );
    for (const market of world.kalshi.markets.filter(isPlain)) expectMarket(rows.get(market.ticker)!, market);
    const settled = [...rows.values()].filter((row) => row["status"] === "finalized");
    expect(settled.length).toBeGreaterThan(10);
  });

  it("reads every trade once, to the digit", async () => {
    const { rows } = await backfillOf(kalshiTradesStream);
    expect(rows).toHaveLength(world.kalshi.trades.length);
    const byId = new Map(rows.map((row) => [row["trade_id"], row]));
    for (const trade of world.kalshi.trades) {
      const row = byId.get(trade.trade_id)!;
      expect([
        e4(row["yes_price"]),
        e4(row["no_price"]),
        cc(row["count"]),
        row["taker_side"],
        row["ticker"],
        row["is_block_trade"],
      ]).toEqual([
        trade.yes_price_e4,
        10_000 - trade.yes_price_e4,
        trade.count_cc,
        trade.taker_side,
        trade.market.ticker,
        trade.is_block_trade,
      ]);
      expect(Date.parse(String(row["created_time"]))).toBe(trade.ms);
    }
  });

  it("reads candles whose volumes equal the sums of the trades", async () => {
    const { rows } = await backfillOf(kalshiCandlesStream);
    const keys = new Set(rows.map((row) => `${String(row["ticker"])} ${String(row["end_time"])}`));
    expect(keys.size).toBe(rows.length);
    const volumes = new Map<string, number>();
    for (const row of rows) {
      const ticker = String(row["ticker"]);
      volumes.set(ticker, (volumes.get(ticker) ?? 0) + cc(row["volume"]));
    }
    for (const market of world.kalshi.markets.filter(isPlain)) {
      const traded = market.trades().reduce((sum, trade) => sum + trade.count_cc, 0);
      expect([market.ticker, volumes.get(market.ticker) ?? 0]).toEqual([market.ticker, traded]);
    }
    const tickers = active().map((market) => market.ticker);
    const live = await runPull(kalshiCandlesStream, feed(), { tickers, now: clock });
    expect(live.rows.length).toBeGreaterThan(0);
    const past = new Map(rows.map((row) => [`${String(row["ticker"])} ${String(row["end_time"])}`, row]));
    for (const row of live.rows) {
      const same = past.get(`${String(row["ticker"])} ${String(row["end_time"])}`);
      if (same !== undefined) expect(row).toEqual(same);
    }
  });

  it.each([
    [kalshiCandlesStream, ["ticker", "end_time"]],
    [kalshiMarketsStream, ["ticker"]],
    [kalshiTradesStream, ["trade_id"]],
  ] as const)("continues a backfill of $name from any saved cursor", async (connector, fields) => {
    const keysOf = (rows: readonly InsertRow[]) =>
      rows.map((row) => fields.map((field) => String(row[field])).join(" "));
    const whole = await backfillOf(connector);
    const wanted = new Set(keysOf(whole.rows));
    const stride = Math.max(1, Math.floor(whole.batches.length / PLACES));
    for (let stop = 1; stop <= whole.batches.length; stop += stride) {
      const before = whole.batches.slice(0, stop);
      const rest = await runPull(connector, feed(), { range, cursor: before.at(-1)?.cursor, now: clock });
      const stored = before.flatMap((batch) => batch.rows.flatMap((part) => part.rows));
      expect(new Set([...keysOf(stored), ...keysOf(rest.rows)])).toEqual(wanted);
      if (stop === whole.batches.length) expect(rest.rows).toEqual([]);
    }
  });

  it("reads the books as they are", async () => {
    const tickers = active().map((market) => market.ticker);
    const { rows } = await runPull(kalshiBookRestStream, feed(), { tickers, now: clock });
    expect(rows).toHaveLength(tickers.length);
    for (const row of rows) expectBook([row], String(row["instrument"]));
  });

  it("follows every book over the socket, and the trades, while the world advances", async () => {
    const tickers = active().map((market) => market.ticker);
    const first = await runPull(kalshiTradesStream, feed(), { now: clock });
    const { rows, changes, close } = await follow(tickers);
    const cycles = [];
    let cursor = first.last?.cursor;
    for (let step = 0; step < 20; step += 1) {
      now += 60_000;
      world.advanceTo(now);
      const cycle = await runPull(kalshiTradesStream, feed(), { cursor, now: clock });
      cursor = cycle.last?.cursor;
      cycles.push(...cycle.rows);
    }
    await close();
    expect(changes()).toBeGreaterThan(100);
    // A book empties without a frame when its market closes.
    const still = tickers.filter((ticker) => world.kalshi.market(ticker)?.status === "active");
    expect(still.length).toBeGreaterThan(30);
    for (const ticker of still)
      expectBook(
        rows.filter((row) => row["instrument"] === ticker),
        ticker,
      );
    const ids = new Set([...first.rows, ...cycles].map((row) => row["trade_id"]));
    const fresh = world.kalshi.trades.filter((trade) => trade.ms > START);
    expect(fresh.length).toBeGreaterThan(10);
    expect(fresh.filter((trade) => !ids.has(trade.trade_id))).toEqual([]);
    const changed = await runPull(kalshiMarketsStream, feed(), { now: clock });
    for (const market of active()) expectMarket(byTicker(changed.rows).get(market.ticker)!, market);
  });

  it.each([
    ["as the paper exchange has it", false],
    ["that says nothing of closings and settlements", true],
  ])("keeps every market's status by cycles each minute with a list of changes %s", async (_name, isMute) => {
    const began = now;
    const rows = new Map<string, InsertRow>();
    const calls: number[] = [];
    let cursor: Cursor | undefined;
    for (let cycle = 0; cycle < 120; cycle += 1) {
      const minute = feed();
      const received = isMute ? muted(minute) : minute;
      const { rows: fresh, last } = await runPull(kalshiMarketsStream, received, { cursor, now: clock });
      for (const [ticker, row] of byTicker(fresh)) rows.set(ticker, row);
      cursor = last?.cursor;
      calls.push(minute.calls.length);
      now += 60_000;
      world.advanceTo(now);
    }
    const { rows: fresh } = await runPull(kalshiMarketsStream, feed(), { cursor, now: clock });
    for (const [ticker, row] of byTicker(fresh)) rows.set(ticker, row);
    const live = world.kalshi.markets.filter((market) => isPlain(market) && (market.settled_ms ?? now) > began);
    const truth = live.map(({ ticker, status, result }) => [ticker, status, result]);
    const kept = live.map(({ ticker }) => [ticker, rows.get(ticker)?.["status"], rows.get(ticker)?.["result"] ?? ""]);
    expect(truth.filter(([, status]) => status === "finalized").length).toBeGreaterThan(5);
    expect(kept).toEqual(truth);
    expect(calls.toSorted((a, b) => a - b)[60]).toBeLessThan(10);
  });
});

/** Upstream documents `min_updated_ts` as tracking non-trading changes: it may not count a closing as a change. */
function muted(given: Feed): Feed {
  return {
    ...given,
    get: async (call, reply) =>
      call.query?.some(([name]) => name === "min_updated_ts")
        ? reply.parse({ markets: [], cursor: "" })
        : given.get(call, reply),
  };
}

/** The connector omits combos. */
function isPlain(market: KalshiMarket): boolean {
  return !market.ticker.startsWith("KXMVE");
}

function expectMarket(row: InsertRow, market: KalshiMarket): void {
  const book = market.book();
  const noBid = book.no.at(-1)?.price_e4;
  expect({
    series: row["series_ticker"],
    category: row["category"],
    event: row["event_ticker"],
    status: row["status"],
    result: row["result"],
    settlement: e4(row["settlement_value"]),
    bid: e4(row["yes_bid"]),
    ask: e4(row["yes_ask"]),
    last: e4(row["last_price"]),
    volume: cc(row["volume"]),
    interest: cc(row["open_interest"]),
    close: Date.parse(String(row["close_time"])),
    settled: row["settled_time"] === null ? null : Date.parse(String(row["settled_time"])),
  }).toEqual({
    series: market.event.series.ticker,
    category: market.event.series.category,
    event: market.event.event_ticker,
    status: market.status,
    result: market.result === "" ? null : market.result,
    settlement: market.settlement_value_e4,
    bid: quote(book.yes.at(-1)?.price_e4 ?? 0),
    ask: noBid === undefined ? null : quote(10_000 - noBid),
    last: market.last_price_e4,
    volume: market.volume_cc,
    interest: market.open_interest_cc,
    close: market.close_ms,
    settled: market.settled_ms,
  });
}

const totals = (side: Map<number, number>) => [...side].sort(([a], [b]) => a - b);

function expectBook(rows: readonly InsertRow[], ticker: string): void {
  const book = replay(rows);
  const truth = world.kalshi.market(ticker)!.book();
  expect([ticker, totals(book.yes)]).toEqual([ticker, truth.yes.map((level) => [level.price_e4 / 10, level.size_cc])]);
  const asks = truth.no.map((level): [number, number] => [(10_000 - level.price_e4) / 10, level.size_cc]);
  expect([ticker, totals(book.no)]).toEqual([ticker, asks.sort(([a], [b]) => a - b)]);
}

/** A signed connection that runs one session, as the socket runner does. */
async function follow(tickers: readonly string[]) {
  const settings = {
    KALSHI_KEY_ID: key.key_id,
    KALSHI_PRIVATE_KEY: key.private_key_pem,
    KALSHI_WS_URL: endpoint.kalshi_ws_url,
  };
  const socket = new WebSocket(endpoint.kalshi_ws_url, { headers: kalshiBookStream.headers!(settings, Date.now()) });
  const session = kalshiBookStream.session();
  const rows: InsertRow[] = [];
  const broken: string[] = [];
  socket.on("message", (data) => {
    const decoded = session.decode(String(data), now);
    rows.push(...decoded.rows.flatMap((part) => part.rows));
    broken.push(...(decoded.broken ?? []).map(({ reason }) => reason));
    for (const frame of decoded.send ?? []) socket.send(frame);
  });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  for (const frame of session.subscribe(tickers)) socket.send(frame);
  await expect.poll(() => new Set(rows.map((row) => row["instrument"])).size).toBe(tickers.length);
  return {
    rows,
    changes: () => rows.filter((row) => row["kind"] === "change").length,
    close: async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.close();
      expect(broken).toEqual([]);
    },
  };
}
