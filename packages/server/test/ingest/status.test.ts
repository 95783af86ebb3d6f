import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { definePull, type Batch, type Connector } from "../../src/definition/connector.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { dropLive, findLive, saveLive } from "../../src/ingest/control/live-record.ts";
import { createIngestMetrics } from "../../src/ingest/ingest-metrics.ts";
import { findTrouble, readStatus, reportStatus } from "../../src/ingest/status/read-status.ts";
import type { LiveStatus, LiveStream } from "../../src/ingest/status/live-status.ts";
import { statusText } from "../../src/main/status-text.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { manualClock } from "./manual-clock.ts";
import { openEngines } from "./open-engines.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const at = (seconds: number): Date => new Date(NOW + seconds * 1000);

async function* none(): AsyncGenerator<Batch, void, void> {}
const stream = (name: string): Connector =>
  definePull({
    name,
    title: `Stream ${name}`,
    venue: "polymarket",
    host: { name: "venue", setting: "URL", limits: {}, share: 1 },
    tables: [polymarketFills],
    everySeconds: 10,
    canBackfill: true,
    pull: none,
  });

const running: LiveStream = {
  name: "trades",
  title: "Stream trades",
  state: "caught_up",
  note: null,
  cursor: { block: 7 },
  reached: at(-2).toISOString(),
  since: at(-60).toISOString(),
  lagSeconds: 2,
  isBehind: false,
  rowsPerSecond: 12.5,
  errors: 1,
  lastError: "the venue answered 502",
  lastErrorAt: at(-30).toISOString(),
};
const live = (given: Partial<LiveStream> = {}): LiveStatus => ({
  streams: [{ ...running, ...given }],
  hosts: { venue: { waiting: 3, routes: { all: { factor: 0.5, tokens: 4, capacity: 10 } } } },
  derivations: {},
});

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());
beforeEach(async () => {
  for (const table of ["streams", "gaps", "parked", "live_status"] as const)
    await engines.db.deleteFrom(table).execute();
  const written = { state: "caught_up", last_error: "old", updated_at: at(0) };
  await engines.db
    .insertInto("streams")
    .values({ name: "trades", reached: at(-100), rows_stored: 40, ...written })
    .execute();
});

const read = (of?: LiveStatus) =>
  readStatus({ connectors: [stream("trades")], db: engines.db, live: of, now: NOW, venueNow: NOW });

test("counts gap seconds over the time covered, with fillable and unfillable ones separate", async () => {
  const gap = { stream: "trades", reason: "r" };
  await engines.db
    .insertInto("gaps")
    .values([
      { ...gap, from_at: at(-100), to_at: at(-80) },
      { ...gap, from_at: at(-90), to_at: at(-70), instrument: "A" },
      { ...gap, from_at: at(-10) },
      { ...gap, from_at: at(-500), to_at: at(-400), unfillable: "nobody has it", alike: 7 },
      { ...gap, from_at: at(-900), to_at: at(-800), filled_at: at(0) },
    ])
    .execute();
  const [one] = (await read()).streams;
  expect(one?.gaps).toEqual({ fillable: 3, unfillable: 7, fillableSeconds: 40, unfillableSeconds: 100 });
});

test("another process shows the last status written by the running one, only while it is fresh", async () => {
  await saveLive(engines.db, live(), at(-10));
  await saveLive(engines.db, live({ rowsPerSecond: 99 }), at(-5));
  const found = await findLive(engines.db, at(0));
  expect(found).toEqual(live({ rowsPerSecond: 99 }));
  const status = await read(found);
  expect(status).toMatchObject({
    isRunning: true,
    streams: [{ state: "caught_up", rowsPerSecond: 99, rowsStored: 40 }],
  });
  expect(findTrouble(status)).toEqual([]);
  const text = statusText(status, [], [], null);
  for (const part of ["99.0", '{"block":7}', "the venue answered 502", "50 %", "4.0 of 10.0", "all is well"])
    expect(text).toContain(part);
  expect(await findLive(engines.db, at(60))).toBeUndefined();
  await dropLive(engines.db);
  expect(await findLive(engines.db, at(0))).toBeUndefined();
});

test("reports a stopped service and a failing or lagging stream as trouble, but not a quiet stream", async () => {
  const still = await read();
  expect(still.streams[0]).toMatchObject({
    state: "not running",
    isBehind: true,
    rowsPerSecond: null,
    lastError: "old",
  });
  expect(findTrouble(still)).toEqual(["the service is not running"]);
  expect(findTrouble(await read(live({ state: "failing" })))).toEqual(["trades is failing: the venue answered 502"]);
  expect(findTrouble(await read(live({ isBehind: true, lagSeconds: 300 })))).toEqual(["trades is 300 s behind"]);
  expect(findTrouble(await read(live({ state: "off", isBehind: true })))).toEqual([]);
});

test("exports each route's rate as it recovers", async () => {
  const registry = new Registry();
  const metrics = createIngestMetrics(registry);
  const exported = async (name: string) =>
    (await registry.getSingleMetric(`almanac_ingest_${name}`)?.get())?.values.map(({ value }) => value);
  const clock = manualClock();
  const budget = createBudget(
    { name: "venue", setting: "URL", limits: { all: { tokens: 100, perSeconds: 1 } }, share: 1 },
    clock,
  );
  const upstreams = { use: () => ({ venue: { waiting: 0, routes: budget.use() } }) };
  const parts = { planned: [], gathering: new Map(), venueNow: clock.now, upstreams, deriver: { pending: () => ({}) } };
  const rates: unknown[] = [];
  const over = new AbortController();
  budget.ease("all", { by: 0.5 });
  const sleep = async (): Promise<void> => {
    rates.push(await exported("upstream_speed"));
    await clock.advance(200_000);
    if (rates.length === 2) over.abort();
  };
  await reportStatus({ ...parts, clock: { ...clock, sleep }, db: engines.db, log: engines.log, metrics }, over.signal);
  expect(rates).toEqual([[0.5], [1]]);
});
