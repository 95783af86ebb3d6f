import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDemoKey } from "../../../../exchange/src/kalshi/access/api-access.ts";
import { serveKalshi } from "../../../../exchange/src/kalshi/serve-kalshi.ts";
import { faultPlan } from "../../../../exchange/src/faults/fault-plan.ts";
import { Faults } from "../../../../exchange/src/faults/faults.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { kalshiMarketsStream } from "../../../src/connectors/kalshi/markets.ts";
import { kalshiMissingMarketsStream } from "../../../src/connectors/kalshi/missing-markets.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import type { Cursor, Feed, PullConnector } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { createKnown } from "../../../src/ingest/known.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { collect, pullOptions } from "../polymarket/memory-feed.ts";
import { httpFeed } from "./http-feed.ts";

let now = Date.UTC(2026, 10, 19);
let world: World;
let faults: Faults;
let served: Awaited<ReturnType<typeof serveKalshi>>;
let engines: Awaited<ReturnType<typeof openEngines>>;
const cursors = new Map<string, Cursor | undefined>();

beforeAll(async () => {
  const small = { events: 3, wallets: 60, activity: 1, kalshi_markets: 90 };
  world = createWorld({ seed: 11, clock: () => now, from_ms: now - 21_600_000, days: 0.25, ...small });
  faults = new Faults(Date.now);
  const keys = [makeDemoKey()];
  const prepare: Parameters<typeof serveKalshi>[0]["prepare"] = (app) => faults.prepare("kalshi", app, "kalshi_ws");
  served = await serveKalshi({ world, host: "127.0.0.1", port: 0, keys, wall: Date.now, prepare });
  engines = await openEngines();
});
afterAll(async () => {
  faults.close();
  await engines.close();
  await served.close();
});

const less = ([name, value]: readonly [string, string]): readonly [string, string] =>
  name === "limit" ? [name, String(Math.ceil(Number(value) / 100))] : [name, value];

function smallPages(url: string): Feed {
  const feed = httpFeed(url);
  return { ...feed, get: (call, reply) => feed.get({ ...call, query: (call.query ?? []).map(less) }, reply) };
}

async function cycle(connector: PullConnector): Promise<void> {
  const known = createKnown(engines.store, () => now);
  const cursor = cursors.get(connector.name);
  const feed = smallPages(served.kalshi_url);
  const taken = await collect(connector.pull(pullOptions(feed, { cursor, now: () => now, known })));
  for (const batch of taken.batches) {
    for (const { table, rows, mode } of batch.rows) await engines.store.insert(table, rows, mode);
  }
  cursors.set(connector.name, taken.cursor);
}

const read = async (select: string): Promise<string[]> => {
  const rows = await engines.store.rows<{ name: string }>(fromDefinition(select));
  return rows.map(({ name }) => name);
};
const activeMarkets = () =>
  read("SELECT ticker AS name FROM kalshi_markets FINAL WHERE status = 'active' ORDER BY name");
const skipping = (path: string) => {
  const fault = { kind: "skip_page", endpoint: "kalshi", path: `/trade-api/v2${path}`, share: 0.3 };
  faults.set(faultPlan.parse({ seed: 3, faults: [fault] }));
};

it("requests traded markets of a skipped page at once, and finds the others in the next full walk", async () => {
  skipping("/markets");
  await cycle(kalshiMarketsStream);
  expect(faults.status().injected.skip_page?.kalshi).toBeGreaterThan(0);
  faults.clear();
  await cycle(kalshiTradesStream);
  const known = createKnown(engines.store, () => now);
  const missing = await known("kalshi_tickers_without_market");
  expect(missing.length).toBeGreaterThan(0);
  await cycle(kalshiMissingMarketsStream);
  expect(await known("kalshi_tickers_without_market")).toEqual([]);
  now += 900_000;
  world.advanceTo(now);
  await cycle(kalshiMarketsStream);
  const active = world.kalshi.markets.filter(({ status }) => status === "active").map(({ ticker }) => ticker);
  expect(await activeMarkets()).toEqual(expect.arrayContaining(active));
});

it("finds all unsettled markets in the next full walk if the first was answered with none", async () => {
  const feed = httpFeed(served.kalshi_url);
  const empty: Feed = { ...feed, get: (_call, reply) => Promise.resolve(reply.parse({ markets: [], cursor: "" })) };
  const walk = (requested: Feed, cursor?: Cursor) =>
    collect(kalshiMarketsStream.pull(pullOptions(requested, { cursor, now: () => now })));
  const first = await walk(empty);
  now += 900_000;
  world.advanceTo(now);
  const { batches } = await walk(feed, first.cursor);
  const shown = new Set(batches.flatMap(({ rows }) => rows.flatMap((part) => part.rows.map(({ ticker }) => ticker))));
  for (const status of ["initialized", "active", "closed"]) {
    const there = world.kalshi.markets.filter((market) => market.status === status).map(({ ticker }) => ticker);
    expect([status, there.filter((ticker) => !shown.has(ticker))]).toEqual([status, []]);
  }
});

it("requests markets again that closed long ago but are not known as settled", async () => {
  now += 86_400_000;
  world.advanceTo(now);
  const known = createKnown(engines.store, () => now);
  const overdue = await known("overdue_kalshi_tickers");
  expect(overdue.length).toBeGreaterThan(0);
  await cycle(kalshiMissingMarketsStream);
  const left = new Set(await known("overdue_kalshi_tickers"));
  const settled = world.kalshi.markets.filter(({ status }) => status === "finalized").map(({ ticker }) => ticker);
  expect(overdue.some((ticker) => !left.has(ticker))).toBe(true);
  expect(settled.filter((ticker) => left.has(ticker))).toEqual([]);
});

it("returns which of the given markets are no longer active, for a month after their close", async () => {
  const all = await read("SELECT ticker AS name FROM kalshi_markets FINAL ORDER BY name");
  const active = new Set(await activeMarkets());
  const over = all.filter((ticker) => !active.has(ticker));
  expect(over.length).toBeGreaterThan(0);
  const known = createKnown(engines.store, () => now);
  expect(await known("left_kalshi_tickers", ["UNKNOWN", ...all])).toEqual(over);
  expect(await known("left_kalshi_tickers", [...active])).toEqual([]);
  const later = createKnown(engines.store, () => now + 40 * 86_400_000);
  expect((await later("left_kalshi_tickers", all)).length).toBeLessThan(over.length);
});
