import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { defineSocket, type Feed, type Host } from "../../src/definition/connector.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { createPark } from "../../src/ingest/control/park-page.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { runSocket } from "../../src/ingest/socket/run-socket.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { openEngines } from "./open-engines.ts";

const HOST: Host = { name: "venue-ws", setting: "URL", share: 1, limits: { all: { tokens: 1000, perSeconds: 1 } } };
const HOUR_MS = 3_600_000;
const FAST = { firstMs: 20, maxMs: 100 };

const bookRow = (at: number, kind: "snapshot" | "change") => ({
  instrument: "A",
  ts: new Date(at).toISOString(),
  seq: 0,
  kind,
  venue: "kalshi",
  bids: [],
  asks: [],
  best_bid: null,
  best_ask: null,
  hash: "",
});

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

test("the gap of a row stamped a year ahead ends after two hours, and all states are fetched again", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const send = (at: number) => [...server.clients].at(-1)?.send(String(at));
  let [skippedMs, fetched] = [0, 0];
  const clock = {
    ...systemClock,
    now: () => Date.now() + skippedMs,
    monotonicMs: () => systemClock.monotonicMs() + skippedMs,
  };
  const connector = defineSocket({
    name: "books",
    title: "Books",
    venue: "kalshi",
    host: HOST,
    path: "/ws",
    tables: [bookEvents],
    instruments: ["A"],
    maxInstrumentsPerSocket: 10,
    silentAfterSeconds: 100_000,
    session: () => ({
      subscribe: () => [],
      unsubscribe: () => [],
      decode: (text) => ({ rows: [{ table: bookEvents, rows: [bookRow(Number(text), "change")] }] }),
      adopt: () => ({ rows: [{ table: bookEvents, rows: [bookRow(clock.now(), "snapshot")] }] }),
    }),
    resyncHost: HOST,
    async *resync() {
      fetched += 1;
      await Promise.resolve();
      yield { instrument: "A", state: {} };
    },
  });
  const stop = new AbortController();
  const watch = createStreamWatch("books");
  const deriver = createDeriver({ ...engines, derivations: [], clock: systemClock });
  const running = runSocket({
    ...engines,
    connector,
    baseUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: {},
    budget: createBudget(HOST, systemClock),
    feed: {} as Feed,
    write: createWrite({ ...engines, deriver, announceKnown: false }),
    park: createPark(engines.db, systemClock),
    known: () => Promise.resolve([]),
    clock,
    watch,
    signal: stop.signal,
    pace: { reconnect: FAST, storeAgain: FAST, resyncAgain: FAST, refreshSeconds: 0.05, flushMs: 50 },
  });
  await expect.poll(() => watch.state).toBe("caught_up");
  const sentMs = clock.now();
  send(sentMs + 365 * 24 * HOUR_MS);
  await expect.poll(() => watch.openGaps).toBe(1);
  skippedMs = HOUR_MS;
  send(clock.now());
  // A session that never stamps a row before an earlier one keeps stamping ahead.
  send(sentMs + 365 * 24 * HOUR_MS);
  send(clock.now());
  await expect.poll(() => watch.reached).toBeGreaterThan(sentMs + HOUR_MS - 1000);
  expect([watch.openGaps, fetched]).toEqual([1, 1]);
  skippedMs = 2 * HOUR_MS + 1000;
  await expect.poll(() => fetched).toBe(2);
  await expect.poll(() => watch.openGaps).toBe(0);
  const gaps = await engines.db.selectFrom("gaps").selectAll().execute();
  const ahead = gaps.find(({ reason }) => reason.includes("ahead of this machine's clock"));
  expect(ahead?.to_at?.getTime()).toBeGreaterThan(sentMs + 2 * HOUR_MS);
  expect(ahead?.to_at?.getTime()).toBeLessThan(sentMs + 3 * HOUR_MS);
  stop.abort(new Error("stopping"));
  await running;
  for (const socket of server.clients) socket.terminate();
  server.close();
});
