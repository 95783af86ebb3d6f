import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Feed } from "../../src/definition/connector.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { createPark } from "../../src/ingest/control/park-page.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { runSocket } from "../../src/ingest/socket/run-socket.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { openEngines } from "../ingest/open-engines.ts";
import { enginePid, killBefore } from "./engine-killer.ts";
import { numberedSocket, openNumberedVenue } from "./numbered-venue.ts";
import { settleFrames } from "./settle-frames.ts";

const MAX_FRAMES = 500;
let folder: string;
let engines: Awaited<ReturnType<typeof openEngines>>;
let venue: Awaited<ReturnType<typeof openNumberedVenue>>;
let stop: AbortController;
let running: Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "almanac-engine-socket-"));
  [engines, venue, stop] = [await openEngines(folder), await openNumberedVenue(), new AbortController()];
  const deriver = createDeriver({ ...engines, derivations: [], clock: systemClock });
  const watch = createStreamWatch(numberedSocket.name);
  running = runSocket({
    ...engines,
    connector: numberedSocket,
    baseUrl: venue.settings.FRAMES_WS_URL,
    settings: {},
    budget: createBudget(numberedSocket.host, systemClock),
    feed: {} as Feed,
    write: createWrite({ ...engines, deriver, announceKnown: false }),
    park: createPark(engines.db, systemClock),
    known: () => Promise.resolve([]),
    clock: systemClock,
    watch,
    signal: stop.signal,
    pace: { reconnect: { firstMs: 20, maxMs: 100 }, maxFrames: MAX_FRAMES, saveSeconds: 0.05, flushMs: 20 },
  });
  await expect.poll(() => watch.state).toBe("caught_up");
});
afterEach(async () => {
  stop.abort(new Error("stopping"));
  await running;
  venue.close();
  await engines.close();
  rmSync(folder, { recursive: true, force: true });
});

const storedFrames = async (): Promise<number> =>
  (await settleFrames(engines, venue.madeAt).catch(() => undefined))?.stored ?? -1;

test("stores all rows of a socket without a gap after the engine was restarted", async () => {
  const { killed } = killBefore(join(folder, "columns"), /^INSERT INTO book_events\b/);
  venue.send(100);
  await killed;
  venue.send(100);
  await expect.poll(storedFrames).toBe(200);
  expect(await settleFrames(engines, venue.madeAt)).toEqual({
    stored: 200,
    doubled: 0,
    missing: 0,
    undeclared: [],
    gaps: [],
  });
});

test("rows beyond the queue limit during an outage lie inside a gap that ends", async () => {
  const columns = join(folder, "columns", "columns");
  venue.send(10);
  await expect.poll(storedFrames).toBe(10);
  renameSync(columns, `${columns}.kept`);
  writeFileSync(columns, "");
  process.kill(enginePid(join(folder, "columns")), "SIGKILL");
  await expect.poll(engines.store.trouble, { interval: 5 }).toBeDefined();
  const more = setInterval(() => venue.send(100), 5);
  await expect.poll(() => venue.sockets[0]?.readyState, { interval: 5 }).toBe(3);
  clearInterval(more);
  rmSync(columns);
  renameSync(`${columns}.kept`, columns);
  await expect.poll(() => venue.sockets.length).toBe(2);
  const endOf = async (): Promise<unknown> => (await settleFrames(engines, [])).gaps[0]?.to_at ?? null;
  await expect.poll(endOf).not.toBeNull();
  venue.send(10);
  await expect.poll(async () => (await settleFrames(engines, venue.madeAt)).undeclared).toEqual([]);
  const { stored, doubled, missing, gaps } = await settleFrames(engines, venue.madeAt);
  expect(stored).toBeGreaterThan(MAX_FRAMES);
  expect({ doubled, gaps: gaps.map(({ reason }) => reason) }).toEqual({
    doubled: 0,
    gaps: [expect.stringContaining("overflow")],
  });
  expect(missing).toBeGreaterThan(0);
});
