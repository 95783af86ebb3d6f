import { afterAll, beforeAll, expect, it } from "vitest";
import { makeDemoKey } from "../../../../exchange/src/kalshi/access/api-access.ts";
import { serveKalshi } from "../../../../exchange/src/kalshi/serve-kalshi.ts";
import { faultPlan } from "../../../../exchange/src/faults/fault-plan.ts";
import { Faults } from "../../../../exchange/src/faults/faults.ts";
import { createWorld } from "../../../../exchange/src/world/create-world.ts";
import type { World } from "../../../../exchange/src/world/world.ts";
import { kalshiTradesCheckStream } from "../../../src/connectors/kalshi/trades-check.ts";
import { kalshiTradesStream } from "../../../src/connectors/kalshi/trades.ts";
import type { Batch, Cursor, Feed, PullConnector } from "../../../src/definition/connector.ts";
import { fromDefinition } from "../../../src/definition/sql.ts";
import { saveBatch } from "../../../src/ingest/control/save-batch.ts";
import { createStoredFills } from "../../../src/ingest/stored-fills.ts";
import { openEngines } from "../../ingest/open-engines.ts";
import { pullOptions } from "../polymarket/memory-feed.ts";
import { httpFeed } from "./http-feed.ts";

let now = Date.UTC(2026, 10, 19);
let world: World;
let faults: Faults;
let served: Awaited<ReturnType<typeof serveKalshi>>;
let engines: Awaited<ReturnType<typeof openEngines>>;
const cursors = new Map<string, Cursor>();

beforeAll(async () => {
  const small = { events: 3, wallets: 60, activity: 2, kalshi_markets: 30 };
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
  name === "limit" ? [name, String(Math.ceil(Number(value) / 20))] : [name, value];

/** A venue whose pages are a twentieth of the requested size, so that a small world's trades fill many. */
function smallPages(url: string): Feed {
  const feed = httpFeed(url);
  return { ...feed, get: (call, reply) => feed.get({ ...call, query: (call.query ?? []).map(less) }, reply) };
}

/** Runs one cycle on a clock that is ahead by `aheadMs`, stored and recorded as ingest does it. */
async function cycle(connector: PullConnector, aheadMs = 0): Promise<Batch[]> {
  const storedFills = createStoredFills(engines.store, engines.db);
  const cursor = cursors.get(connector.name);
  const batches: Batch[] = [];
  for await (const batch of connector.pull(
    pullOptions(smallPages(served.kalshi_url), { cursor, now: () => now + aheadMs, storedFills }),
  )) {
    for (const { table, rows, mode } of batch.rows) await engines.store.insert(table, rows, mode);
    await saveBatch(engines.db, connector.name, batch, 0, new Date(now));
    batches.push(batch);
    cursors.set(connector.name, batch.cursor);
  }
  return batches;
}

const compared = (batches: readonly Batch[]) =>
  batches.reduce(
    (sum, { compared: one }) => ({
      missing: sum.missing + (one?.missing ?? 0),
      unlisted: sum.unlisted + (one?.unlisted ?? 0),
    }),
    { missing: 0, unlisted: 0 },
  );
const stored = async (from: number, to: number): Promise<string[]> => {
  const rows = await engines.store.rows<{ id: string }>(
    fromDefinition(
      `SELECT trade_id AS id FROM kalshi_trades WHERE created_time >= toDateTime64(${from}, 6, 'UTC') AND created_time < toDateTime64(${to}, 6, 'UTC') ORDER BY id`,
    ),
  );
  return rows.map(({ id }) => id);
};
const checked = () => Number(cursors.get(kalshiTradesCheckStream.name)?.["checked"]);
const skipping = (share: number) =>
  faults.set(faultPlan.parse({ seed: 3, faults: [{ kind: "skip_page", endpoint: "kalshi", share }] }));

it("finds nothing missing if the first read was complete, and needs few requests", async () => {
  expect(await cycle(kalshiTradesCheckStream)).toEqual([{ rows: [], cursor: {}, isCaughtUp: true }]);
  await cycle(kalshiTradesStream);
  const batches = await cycle(kalshiTradesCheckStream);
  expect(compared(batches)).toEqual({ missing: 0, unlisted: 0 });
  expect(batches.at(-1)?.isCaughtUp).toBe(true);
});

it("stores the trades of a skipped page once, and has the range read again", async () => {
  const before = checked();
  now += 1_800_000;
  world.advanceTo(now);
  skipping(0.5);
  await cycle(kalshiTradesStream);
  expect(faults.status().injected.skip_page?.kalshi).toBeGreaterThan(0);
  faults.clear();
  const end = Math.floor(now / 1000) - 300;
  const lost = await truth(before, end);
  const had = await stored(before, end);
  expect(had.length).toBeLessThan(lost.length);

  const found: Batch[] = [];
  for (let cycles = 0; cycles < 40 && checked() < end; cycles += 1)
    found.push(...(await cycle(kalshiTradesCheckStream)));
  expect(await stored(before, end)).toEqual(lost);
  const all = await truth(before, checked());
  expect(await stored(before, checked())).toEqual(all);
  expect(compared(found).missing).toBeGreaterThanOrEqual(lost.length - had.length);
  const gaps = await engines.db.selectFrom("gaps").selectAll().execute();
  expect(new Set(gaps.map(({ stream }) => stream))).toEqual(new Set([kalshiTradesStream.name]));
  expect(gaps[0]?.reason).toMatch(/^a recheck found trades that the first read missed: \d+$/);
  const notices = await engines.db.selectFrom("notices").selectAll().execute();
  expect(notices.reduce((sum, { count }) => sum + count, 0)).toBe(compared(found).missing);
});

it("checks again if it received fewer trades than are stored", async () => {
  const before = checked();
  now += 900_000;
  world.advanceTo(now);
  await cycle(kalshiTradesStream);
  skipping(1);
  const batches = await cycle(kalshiTradesCheckStream);
  faults.clear();
  expect(compared(batches).unlisted).toBeGreaterThan(0);
  expect(cursors.get(kalshiTradesCheckStream.name)).toEqual({ checked: before, looks: 1 });
  expect(compared(await cycle(kalshiTradesCheckStream))).toEqual({ missing: 0, unlisted: 0 });
  expect(checked()).toBeGreaterThan(before + 500);
});

it("finds trades that were missed after this machine's clock was ahead", async () => {
  now += 600_000;
  world.advanceTo(now);
  await cycle(kalshiTradesStream, 3_600_000);
  await cycle(kalshiTradesCheckStream, 3_600_000);
  const before = Math.floor(now / 1000);
  expect(checked()).toBeGreaterThan(before);
  now += 1_200_000;
  world.advanceTo(now);
  skipping(0.5);
  await cycle(kalshiTradesStream);
  faults.clear();
  const end = Math.floor(now / 1000) - 300;
  expect(await stored(before, end)).not.toEqual(await truth(before, end));
  for (let cycles = 0; cycles < 20; cycles += 1) await cycle(kalshiTradesCheckStream);
  expect(await stored(before, end)).toEqual(await truth(before, end));
});

const truth = async (from: number, to: number): Promise<string[]> =>
  world.kalshi.trades
    .filter(({ ms }) => ms >= from * 1000 && ms < to * 1000)
    .map(({ trade_id }) => trade_id)
    .sort();
