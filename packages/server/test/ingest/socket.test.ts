import type { AddressInfo } from "node:net";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer, type WebSocket } from "ws";
import { z } from "zod";
import { defineSocket, type Feed, type Host } from "../../src/definition/connector.ts";
import type { Resynced, Session } from "../../src/definition/session.ts";
import { createKnown } from "../../src/ingest/known.ts";
import { sql } from "../../src/definition/sql.ts";
import { createBudget } from "../../src/ingest/budget.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { createPark } from "../../src/ingest/control/park-page.ts";
import { createDeriver } from "../../src/ingest/derive.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { assignInstruments } from "../../src/ingest/socket/change-instruments.ts";
import { choosePlaced } from "../../src/ingest/socket/place-instruments.ts";
import { runSocket } from "../../src/ingest/socket/run-socket.ts";
import type { SocketRun } from "../../src/ingest/socket/socket-run.ts";
import { createStreamWatch } from "../../src/ingest/stream-watch.ts";
import { createWrite } from "../../src/ingest/write.ts";
import { StoreError } from "../../src/store/statement.ts";
import { bookEvents } from "../../src/tables/book-events.ts";
import { openEngines } from "./open-engines.ts";

const HOST: Host = {
  name: "venue-ws",
  setting: "VENUE_WS_URL",
  share: 1,
  limits: { all: { tokens: 1000, perSeconds: 1 } },
};
const frameWire = z.object({ asset: z.string(), seq: z.number(), at: z.number() });

let engines: Awaited<ReturnType<typeof openEngines>>;
beforeAll(async () => {
  engines = await openEngines();
});
afterAll(async () => engines.close());

/** A venue that numbers its frames by asset; the tests break it. */
async function openVenue() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await new Promise((resolve) => server.once("listening", resolve));
  const sockets: WebSocket[] = [];
  const received: string[] = [];
  const sequences = new Map<string, number>();
  server.on("connection", (socket) => {
    sockets.push(socket);
    socket.on("message", (data) => received.push((data as Buffer).toString()));
  });
  const frame = (asset: string, at = Date.now()): string => {
    const seq = (sequences.get(asset) ?? 0) + 1;
    sequences.set(asset, seq);
    return JSON.stringify({ asset, seq, at });
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    received,
    sequences,
    send: (asset: string, at?: number) => sockets.at(-1)?.send(frame(asset, at)),
    /** Creates a frame that never arrives. */
    lose: (asset: string) => void frame(asset),
    close: () => {
      for (const socket of sockets) socket.terminate();
      server.close();
    },
  };
}

const bookRow = (asset: string, seq: number, at: number, kind: "snapshot" | "change") => ({
  instrument: asset,
  ts: new Date(at).toISOString(),
  seq,
  kind,
  venue: "kalshi",
  bids: [],
  asks: [],
  best_bid: null,
  best_ask: null,
  hash: "",
});

/** Yields rows for every frame; a jump in the sequence breaks the instrument until a state is adopted. */
function numberedSession(): Session {
  const last = new Map<string, number>();
  return {
    subscribe: (instruments) => [`subscribe ${instruments.join(",")}`],
    unsubscribe: (instruments) => [`unsubscribe ${instruments.join(",")}`],
    decode: (text) => {
      if (text === "PONG") return { rows: [], send: ["thanks"] };
      const { asset, seq, at } = frameWire.parse(JSON.parse(text));
      const before = last.get(asset);
      last.set(asset, seq);
      const rows = [{ table: bookEvents, rows: [bookRow(asset, seq, at, "change")] }];
      const isBroken = before !== undefined && seq !== before + 1;
      return isBroken ? { rows, broken: [{ instrument: asset, reason: `after ${before} came ${seq}` }] } : { rows };
    },
    adopt: ({ instrument, state }) => {
      const { seq, at } = state as { seq: number; at: number };
      last.set(instrument, seq);
      return { rows: [{ table: bookEvents, rows: [bookRow(instrument, seq, at, "snapshot")] }] };
    },
  };
}

/** A session without sequence numbers: only a comparison reveals lost frames. */
function comparedSession(): Session {
  const last = new Map<string, number>();
  const trusted = new Set<string>();
  const inner = numberedSession();
  return {
    ...inner,
    decode: (text, receivedMs) => {
      if (text === "PONG") return { rows: [] };
      const { asset, seq } = frameWire.parse(JSON.parse(text));
      last.set(asset, seq);
      return { rows: inner.decode(text, receivedMs).rows };
    },
    adopt: (given, receivedMs) => {
      if (given.state === null) return { rows: [] };
      last.set(given.instrument, (given.state as { seq: number }).seq);
      trusted.add(given.instrument);
      return { ...inner.adopt(given, receivedMs), restored: [given.instrument] };
    },
    isWhole: (instrument) => trusted.has(instrument),
    follows: ({ instrument, state }) =>
      !trusted.has(instrument) || (state !== null && (state as { seq: number }).seq <= (last.get(instrument) ?? 0)),
    distrust: (instrument, reason) => {
      trusted.delete(instrument);
      return { rows: [], broken: [{ instrument, reason }] };
    },
  };
}

/** Stores an empty state, at its arrival, of an instrument that the venue no longer has. */
function emptyingSession(): Session {
  const inner = comparedSession();
  return {
    ...inner,
    adopt: (given, at) =>
      given.state === null
        ? { rows: [{ table: bookEvents, rows: [bookRow(given.instrument, 900, at, "snapshot")] }] }
        : inner.adopt(given, at),
  };
}

/** A session that drops frames of instruments it is not subscribed to, as the venues' own sessions do. */
function forgettingSession(): Session {
  const inner = numberedSession();
  const subscribed = new Set<string>();
  return {
    ...inner,
    subscribe: (instruments) => {
      const fresh = instruments.filter((each) => !subscribed.has(each));
      for (const instrument of fresh) subscribed.add(instrument);
      return fresh.length === 0 ? [] : inner.subscribe(fresh);
    },
    unsubscribe: (instruments) => {
      for (const instrument of instruments) subscribed.delete(instrument);
      return inner.unsubscribe(instruments);
    },
    decode: (text, receivedMs) =>
      subscribed.has(frameWire.parse(JSON.parse(text)).asset) ? inner.decode(text, receivedMs) : { rows: [] },
  };
}

let venue: Awaited<ReturnType<typeof openVenue>>;
let stop: AbortController;
let running: Promise<void> | undefined;
let resyncs: string[][];

beforeEach(async () => {
  venue = await openVenue();
  stop = new AbortController();
  resyncs = [];
  for (const table of ["streams", "gaps", "parked", "followed"] as const) await engines.db.deleteFrom(table).execute();
  await engines.store.run(sql`TRUNCATE TABLE book_events`);
});
afterEach(async () => {
  stop.abort(new Error("stopping"));
  await running;
  venue.close();
});

/** Sixteen seconds in which the venue answers heartbeats and sends nothing else. */
async function stayQuiet(skip: (ms: number) => void): Promise<void> {
  const answered = (): number => venue.received.filter((frame) => frame === "thanks").length;
  const before = answered();
  skip(8000);
  venue.sockets.at(-1)?.send("PONG");
  await expect.poll(answered).toBeGreaterThan(before);
  skip(8000);
}

function makeRun(change: Partial<SocketRun> = {}, connectorChange: object = {}): SocketRun {
  const deriver = createDeriver({ ...engines, derivations: [], clock: systemClock });
  return {
    ...engines,
    connector: {
      ...defineSocket({
        name: "books",
        title: "Books",
        venue: "kalshi",
        host: HOST,
        path: "/ws",
        tables: [bookEvents],
        instruments: "active_kalshi_tickers",
        maxInstrumentsPerSocket: 10,
        silentAfterSeconds: 30,
        session: numberedSession,
        resyncHost: HOST,
        async *resync(_feed, instruments) {
          resyncs.push([...instruments]);
          for (const instrument of instruments) {
            await Promise.resolve();
            yield {
              instrument,
              state: { seq: venue.sequences.get(instrument) ?? 0, at: Date.now() },
            } satisfies Resynced;
          }
        },
      }),
      ...connectorChange,
    },
    baseUrl: venue.url,
    settings: {},
    budget: createBudget(HOST, systemClock),
    feed: {} as Feed,
    write: createWrite({ ...engines, deriver, announceKnown: false }),
    park: createPark(engines.db, systemClock),
    known: () => Promise.resolve(["A", "B"]),
    clock: systemClock,
    watch: createStreamWatch("books"),
    signal: stop.signal,
    ...change,
    pace: {
      reconnect: { firstMs: 20, maxMs: 100 },
      storeAgain: { firstMs: 20, maxMs: 100 },
      resyncAgain: { firstMs: 20, maxMs: 100 },
      refreshSeconds: 0.05,
      leavingMs: 50,
      leavingAgainMs: 50,
      echoMs: 50,
      saveSeconds: 0.05,
      flushMs: 50,
      ...change.pace,
    },
  };
}

function start(run: SocketRun): SocketRun {
  running = runSocket(run);
  return run;
}

/** The first stored change is held until released. */
function slowRun() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const slow = { wanted: ["A", "B", "C"], requested: 0, frames: 0, isHeld: false, release };
  const plain = makeRun();
  const run = makeRun(
    {
      known: () => {
        slow.requested += 1;
        return Promise.resolve(slow.wanted);
      },
      raw: { keep: () => (slow.frames += 1), close: () => Promise.resolve() },
      write: async (stream, rows) => {
        if (rows.rows.some((row) => row["kind"] === "change")) {
          slow.isHeld = true;
          await held;
        }
        return plain.write(stream, rows);
      },
    },
    { session: forgettingSession },
  );
  const want = async (wanted: string[]): Promise<void> => {
    slow.wanted = wanted;
    const before = slow.requested;
    await expect.poll(() => slow.requested).toBeGreaterThan(before + 1);
  };
  return { run, slow, want };
}

const synced = (run: SocketRun) => expect.poll(() => run.watch.state, { interval: 20 }).toBe("caught_up");
const changes = async (): Promise<string[]> => {
  const rows = await engines.store.rows<{ event: string }>(
    sql`SELECT concat(instrument, toString(seq)) AS event FROM book_events WHERE kind = 'change' ORDER BY instrument, seq`,
  );
  return rows.map(({ event }) => event);
};
const followed = () => engines.db.selectFrom("followed").selectAll().orderBy("instrument").execute();
const gaps = () => engines.db.selectFrom("gaps").selectAll().orderBy("id").execute();

const left = async (): Promise<string[]> => {
  const rows = await engines.db.selectFrom("followed").select("instrument").where("left_at", "is not", null).execute();
  return rows.map(({ instrument }) => instrument);
};

/** The machine's clock; `skip` moves it on, as if this time had passed. */
function skippingClock(maxSleepMs = Infinity) {
  let skippedMs = 0;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + skippedMs,
    monotonicMs: () => systemClock.monotonicMs() + skippedMs,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, maxSleepMs), signal),
  };
  return { clock, skip: (ms: number) => void (skippedMs += ms) };
}

/** Runs with a clock that is behind; `putRight` corrects it and resolves once the run is synced again. */
async function runBySlowClock(behindMs: number) {
  let [aheadMs, skippedMs] = [-behindMs, 0];
  const clock = {
    ...systemClock,
    now: () => Date.now() + aheadMs + skippedMs,
    monotonicMs: () => systemClock.monotonicMs() + skippedMs,
  };
  const run = start(makeRun({ clock }));
  await synced(run);
  return {
    run,
    putRight: async () => {
      // Skips more than the clock's error, so that the step's gap is a separate one, and more than rows may be late.
      const passed = (run.watch.reached ?? 0) + behindMs;
      skippedMs = 2.5 * behindMs;
      await expect.poll(() => (run.watch.reached ?? 0) > passed).toBe(true);
      aheadMs = 0;
      await expect.poll(() => venue.sockets.length).toBe(2);
      await synced(run);
      await expect.poll(() => run.watch.openGaps).toBe(0);
    },
  };
}

describe("socket", () => {
  test("subscribes, syncs, stores rows in batches, answers frames and saves its progress", async () => {
    const run = start(makeRun({}, { heartbeat: { send: "PING", everySeconds: 0.05 } }));
    await synced(run);
    expect(venue.received[0]).toBe("subscribe A,B");
    expect(resyncs).toEqual([["A", "B"]]);
    for (let count = 0; count < 300; count += 1) venue.send(count % 2 === 0 ? "A" : "B");
    venue.sockets[0]?.send("PONG");
    await expect.poll(async () => (await changes()).length).toBe(300);
    await expect.poll(() => venue.received.includes("thanks") && venue.received.includes("PING")).toBe(true);
    expect(await gaps()).toEqual([]);
    stop.abort(new Error("stopping"));
    await running;
    const stream = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(stream).toMatchObject({ name: "books", state: "stopped", rows_stored: 302 });
    expect(Date.now() - (stream.reached?.getTime() ?? 0)).toBeLessThan(5000);
    expect(stream.since?.getTime()).toBeLessThanOrEqual(stream.reached?.getTime() ?? 0);
  });

  test("an instrument that breaks again before its restored state is stored keeps its gap", async () => {
    const broken = { broken: [{ instrument: "A", reason: "a number is missing" }] };
    let [isWhole, seq] = [true, 0];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    stop.signal.addEventListener("abort", () => release());
    let requested = 0;
    const session = (): Session => ({
      ...numberedSession(),
      decode: (text) => {
        isWhole = text === "restore";
        const rows = [{ table: bookEvents, rows: [bookRow("A", (seq += 1), Date.now(), "change")] }];
        return { rows, ...(isWhole ? { restored: ["A"] } : broken) };
      },
      isWhole: (instrument) => instrument !== "A" || isWhole,
    });
    const resync = async function* (_feed: Feed, instruments: readonly string[]) {
      requested += 1;
      if (requested > 1) await held;
      for (const instrument of instruments) yield { instrument, state: { seq: 0, at: Date.now() } };
    };
    const run = start(makeRun({ pace: { gatherMs: 500 } }, { session, resync }));
    await synced(run);
    for (const frame of ["break", "restore", "break"]) venue.sockets[0]?.send(frame);
    await expect.poll(() => run.watch.rowsStored).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await gaps()).toMatchObject([{ instrument: "A", to_at: null }]);
    venue.sockets[0]?.send("restore");
    await expect.poll(() => run.watch.openGaps).toBe(0);
    release();
  });

  test("a frame that cannot be read behind a fetched state keeps the gap until the next state", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    stop.signal.addEventListener("abort", () => release());
    let requested = 0;
    const resync = async function* (_feed: Feed, instruments: readonly string[]) {
      requested += 1;
      if (requested === 2) {
        for (const instrument of instruments) yield { instrument, state: { seq: 0, at: Date.now() } };
        venue.sockets[0]?.send(JSON.stringify({ asset: "A" }));
        return;
      }
      if (requested > 2) await held;
      for (const instrument of instruments) yield { instrument, state: { seq: 0, at: Date.now() } };
    };
    const run = start(makeRun({ pace: { gatherMs: 500 } }, { resync }));
    await synced(run);
    venue.sockets[0]?.send(JSON.stringify({ asset: "A" }));
    await expect.poll(() => requested).toBe(3);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const shown = (await gaps()).filter(({ parked_id }) => parked_id === null);
    expect(shown).toMatchObject([{ instrument: "A", to_at: null }]);
    release();
    await expect.poll(() => run.watch.openGaps).toBe(0);
  });

  test("a gap lasts until the first state after a reconnect by the venue's clock, where that is ahead", async () => {
    const resync = async function* (_feed: Feed, instruments: readonly string[]) {
      const state = { seq: venue.sequences.get("A") ?? 0, at: Date.now() + 1500 };
      for (const instrument of instruments) yield { instrument, state };
    };
    const run = start(makeRun({ known: () => Promise.resolve(["A"]) }, { resync }));
    await synced(run);
    venue.send("A", Date.now() + 1500);
    await expect.poll(changes).toEqual(["A1"]);
    venue.sockets[0]?.terminate();
    await expect.poll(() => venue.sockets.length).toBe(2);
    await expect.poll(async () => (await gaps()).map(({ to_at }) => to_at !== null)).toEqual([true]);
    const [state] = await engines.store.rows<{ ms: string }>(
      sql`SELECT toString(max(toUnixTimestamp64Milli(ts))) AS ms FROM book_events WHERE kind = 'snapshot'`,
    );
    expect((await gaps())[0]?.to_at?.getTime()).toBeGreaterThanOrEqual(Number(state?.ms));
  });

  test("reconnects and resyncs after a disconnect, with a gap for the time between that ends", async () => {
    const run = start(makeRun());
    await synced(run);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    venue.lose("A");
    venue.sockets[0]?.terminate();
    await expect.poll(() => venue.sockets.length).toBe(2);
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
    const [gap] = await gaps();
    expect(gap).toMatchObject({ stream: "books", instrument: null, filled_at: null });
    expect(gap?.reason).toContain("socket 1 (2 instruments)");
    expect(gap?.from_at.getTime()).toBeLessThan(gap?.to_at?.getTime() ?? 0);
    expect(resyncs).toEqual([
      ["A", "B"],
      ["A", "B"],
    ]);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1", "A3"]);
    await synced(run);
  });

  test("drops a frozen socket because of its silence", async () => {
    const run = start(makeRun({}, { silentAfterSeconds: 0.3 }));
    await synced(run);
    await expect.poll(() => venue.sockets.length).toBeGreaterThan(1);
    expect(run.watch.lastError).toContain("silent");
  });

  test("detects a frozen socket that still answers heartbeats; its gap begins at the last row", async () => {
    const last = new Map<string, number>();
    const session = (): Session => {
      const inner = numberedSession();
      return {
        ...inner,
        decode: (text, receivedMs) => {
          if (text !== "PONG") last.set("A", frameWire.parse(JSON.parse(text)).seq);
          return inner.decode(text, receivedMs);
        },
        follows: ({ instrument, state }) => (state as { seq: number }).seq <= (last.get(instrument) ?? 0),
      };
    };
    const run = start(makeRun({ pace: { checkSeconds: 0.1, graceMs: 100 } }, { session }));
    await synced(run);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    const receivedAt = Date.now();
    const checked = resyncs.length;
    await expect.poll(() => resyncs.length).toBeGreaterThan(checked + 2);
    expect(venue.sockets).toHaveLength(1);
    venue.lose("A");
    venue.sockets[0]?.send("PONG");
    await expect.poll(() => venue.sockets.length).toBe(2);
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
    const [gap] = await gaps();
    expect(gap?.reason).toContain("frozen: A changed over REST");
    expect(gap?.from_at.getTime()).toBeLessThanOrEqual(receivedAt);
    await synced(run);
  });

  test("an early stream follows a list that never changes; its silence is an error, never a gap", async () => {
    const { clock, skip } = skippingClock(20);
    const given = makeRun(
      { clock, known: () => Promise.reject(new Error("not asked")), feed: undefined },
      {
        instruments: ["activity"],
        isEarly: true,
        isData: (frame: string) => frame !== "PONG",
        silentAfterSeconds: 15,
      },
    );
    const { resync: _resync, resyncHost: _resyncHost, ...connector } = given.connector;
    const run = start({ ...given, connector });
    await synced(run);
    expect(venue.received[0]).toBe("subscribe activity");
    venue.send("activity");
    await expect.poll(changes).toContain("activity1");
    // Answers to the heartbeat alone do not keep the socket open.
    await stayQuiet(skip);
    await expect.poll(() => venue.sockets.length).toBeGreaterThan(1);
    expect(run.watch.lastError).toContain("silent");
    stop.abort(new Error("stopping"));
    await running;
    expect(await gaps()).toEqual([]);
    expect(resyncs).toEqual([]);
  });

  test("a stream is starting until its first connection opens or fails", async () => {
    const plain = makeRun();
    const { promise: allowed, reject: refuse } = Promise.withResolvers<void>();
    stop.signal.addEventListener("abort", () => refuse(stop.signal.reason));
    let [takes, looks] = [0, 0];
    const states: string[] = [];
    const watch = new Proxy(plain.watch, {
      get: (of, field) => {
        if (field === "state" && takes > 0) looks += 1;
        return Reflect.get(of, field) as unknown;
      },
      set: (of, field, value) => {
        if (field === "state") states.push(String(value));
        return Reflect.set(of, field, value);
      },
    });
    const take = async (...taken: Parameters<typeof plain.budget.take>) => {
      takes += 1;
      return takes === 1 ? await allowed : await plain.budget.take(...taken);
    };
    const run = start({ ...plain, watch, budget: { ...plain.budget, take } });
    await expect.poll(() => looks).toBeGreaterThan(2);
    expect(states).not.toContain("failing");
    refuse(new Error("no address"));
    await expect.poll(() => run.watch.lastError).toBe("no address");
    await synced(run);
  });

  test("an early stream is not failing while nothing happens at a venue that answers heartbeats", async () => {
    const { clock, skip } = skippingClock(20);
    let missedAt = Number.NEGATIVE_INFINITY;
    const wakes = { receive: () => undefined, missedAt: () => missedAt };
    const given = makeRun(
      { clock, feed: undefined, wakes },
      {
        instruments: ["activity"],
        isEarly: true,
        isData: (frame: string) => frame !== "PONG",
        silentAfterSeconds: 15,
      },
    );
    const { resync: _resync, resyncHost: _resyncHost, ...connector } = given.connector;
    const states: string[] = [];
    const watch = new Proxy(given.watch, {
      set: (of, field, value) => {
        if (field === "state") states.push(String(value));
        return Reflect.set(of, field, value);
      },
    });
    const run = start({ ...given, connector, watch });
    await synced(run);
    states.length = 0;
    for (const sockets of [2, 3, 4]) {
      await stayQuiet(skip);
      await expect.poll(() => venue.sockets.length).toBe(sockets);
      await expect.poll(() => venue.received.filter((frame) => frame === "subscribe activity").length).toBe(sockets);
      const seen = states.length;
      await expect.poll(() => states.length).toBeGreaterThan(seen);
    }
    expect(states).not.toContain("failing");
    // A fill that it did not announce shows that it is dead.
    missedAt = clock.monotonicMs() + 8000;
    await stayQuiet(skip);
    await expect.poll(() => states).toContain("failing");
  });

  test("resyncs only a broken instrument, and its gap names it", async () => {
    const run = start(makeRun());
    await synced(run);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    venue.lose("A");
    venue.send("A");
    venue.send("B");
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
    expect(await gaps()).toMatchObject([{ instrument: "A", reason: "after 1 came 3" }]);
    expect(resyncs.slice(1)).toEqual([["A"]]);
    expect(venue.sockets).toHaveLength(1);
  });

  test("finds a lost last message by comparing states, on a socket that still delivers others", async () => {
    const pace = { checkSeconds: 0.05, graceMs: 200 };
    const run = start(makeRun({ pace }, { session: comparedSession, compareSeconds: 0.05 }));
    await synced(run);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    venue.lose("A");
    const others = setInterval(() => venue.send("B"), 20);
    await expect.poll(async () => (await gaps()).some(({ to_at }) => to_at !== null)).toBe(true);
    clearInterval(others);
    expect(await gaps()).toMatchObject([{ instrument: "A", reason: "it changed over REST but not over the socket" }]);
    expect(venue.sockets).toHaveLength(1);
    await synced(run);
  });

  test("an instrument without a state at the venue has its own gap until it is no longer followed", async () => {
    let wanted = ["A", "B"];
    const given = makeRun({ known: () => Promise.resolve(wanted) }, { session: comparedSession, compareSeconds: 60 });
    const run = start({
      ...given,
      connector: {
        ...given.connector,
        async *resync(_feed, instruments) {
          await Promise.resolve();
          for (const instrument of instruments.filter((each) => each !== "B"))
            yield { instrument, state: { seq: 0, at: Date.now() } };
        },
      },
    });
    await synced(run);
    // Recorded alongside the first states, so possibly after them.
    await expect.poll(gaps).toMatchObject([{ instrument: "B", to_at: null, reason: "the venue has no state of it" }]);
    expect(
      (await engines.db.selectFrom("followed").select("instrument").execute()).map((row) => row.instrument),
    ).not.toContain("B");
    wanted = ["A"];
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
  });

  test("an instrument that the venue permanently refuses has a lasting gap, and does not delay the others", async () => {
    const refused = new Set<string>();
    const session = (): Session => {
      const inner = numberedSession();
      return {
        ...inner,
        decode: (text, receivedMs) => {
          if (text !== "REFUSED") return inner.decode(text, receivedMs);
          refused.add("B");
          return { rows: [], broken: [{ instrument: "B", reason: "refused with 26" }] };
        },
        isWhole: (instrument) => !refused.has(instrument) && instrument !== "B",
        isOutOfReach: (instrument) => refused.has(instrument),
      };
    };
    const run = start(makeRun({}, { session }));
    await expect.poll(() => resyncs.length).toBe(1);
    venue.sockets[0]?.send("REFUSED");
    await synced(run);
    await expect.poll(() => resyncs.length).toBe(2);
    expect(await gaps()).toMatchObject([{ instrument: "B", to_at: null, reason: "refused with 26" }]);
    expect(await followed()).toMatchObject([{ instrument: "A" }]);
  });

  test("requests an instrument no longer followed until the venue has no state of it, with a gap meanwhile", async () => {
    let wanted = ["A", "B"];
    let hasBook = true;
    const given = makeRun({ known: () => Promise.resolve(wanted) }, { session: comparedSession, compareSeconds: 60 });
    const resync = async function* (_feed: Feed, instruments: readonly string[]) {
      await Promise.resolve();
      for (const instrument of instruments.filter((each) => each !== "B" || hasBook))
        yield { instrument, state: { seq: 0, at: Date.now() } };
    };
    const connector = { ...given.connector, resync };
    const run = start({ ...given, connector });
    await synced(run);
    await expect.poll(async () => (await engines.db.selectFrom("followed").selectAll().execute()).length).toBe(2);
    stop.abort(new Error("stopping"));
    await running;
    // It left while the service was down.
    wanted = ["A"];
    stop = new AbortController();
    const again = start({ ...given, connector, signal: stop.signal, watch: createStreamWatch("books") });
    await synced(again);
    await expect
      .poll(async () => (await gaps()).filter(({ to_at }) => to_at === null).map(({ instrument }) => instrument))
      .toEqual(["B"]);
    expect(await left()).toEqual([]);
    hasBook = false;
    await expect.poll(left).toEqual(["B"]);
    expect((await gaps()).every(({ to_at }) => to_at !== null)).toBe(true);
  });

  test("the last state of an instrument that leaves while rows are stamped ahead is stored behind these rows", async () => {
    let wanted = ["A", "B"];
    const { clock, skip } = skippingClock();
    const resync = async function* (_feed: Feed, instruments: readonly string[]) {
      await Promise.resolve();
      for (const instrument of instruments.filter((each) => wanted.includes(each)))
        yield { instrument, state: { seq: venue.sequences.get(instrument) ?? 0, at: clock.now() } };
    };
    const known = () => Promise.resolve(wanted);
    const run = start(makeRun({ known, clock }, { session: emptyingSession, resync, compareSeconds: 60 }));
    await synced(run);
    await expect.poll(async () => (await followed()).length).toBe(2);
    venue.send("B", Date.now() + 60_000);
    await expect.poll(changes).toEqual(["B1"]);
    wanted = ["A"];
    const reason = "no longer followed, and its last state is not stored yet";
    await expect.poll(gaps).toContainEqual(expect.objectContaining({ instrument: "B", reason, to_at: null }));
    expect(await left()).toEqual([]);
    skip(60_000);
    await expect.poll(left).toEqual(["B"]);
    const [last] = await engines.store.rows<{ kind: string }>(
      sql`SELECT kind FROM book_events WHERE instrument = 'B' ORDER BY ts DESC, seq DESC LIMIT 1`,
    );
    expect(last?.kind).toBe("snapshot");
  });

  test("without last states, an instrument is held until it leaves, and again from when it returns", async () => {
    let wanted = ["A", "B"];
    const given = makeRun({ known: () => Promise.resolve(wanted) });
    await synced(start(given));
    await expect.poll(async () => (await followed()).length).toBe(2);
    const [a] = await followed();
    wanted = ["A"];
    await expect.poll(left).toEqual(["B"]);
    const leftAt = (await followed())[1]?.left_at;
    wanted = ["A", "B"];
    await expect.poll(left).toEqual([]);
    const [same, again] = await followed();
    expect(same).toEqual(a);
    expect(again?.since.getTime()).toBeGreaterThanOrEqual(leftAt?.getTime() ?? Infinity);
    stop.abort(new Error("stopping"));
    await running;
    // It left while the service was down.
    wanted = ["A"];
    stop = new AbortController();
    start({ ...given, signal: stop.signal, watch: createStreamWatch("books") });
    await expect.poll(left).toEqual(["B"]);
    expect((await followed())[0]).toEqual(a);
  });

  test("parks a malformed frame and continues the session", async () => {
    const run = start(makeRun());
    await synced(run);
    venue.sockets[0]?.send('{"asset":"A","seq":"one","at":1}');
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    const parked = await engines.db.selectFrom("parked").selectAll().execute();
    expect(parked).toMatchObject([
      { stream: "books", route: "socket", field: "seq", sample: '"one"', body: '{"asset":"A","seq":"one","at":1}' },
    ]);
    expect(venue.sockets).toHaveLength(1);
  });

  test("drops the socket, not the rows, when frames arrive faster than they are stored", async () => {
    const store = { isSlow: true };
    const plain = makeRun();
    const run = start(
      makeRun({
        pace: { maxFrames: 500, flushRows: 100 },
        write: async (stream, rows) => {
          while (store.isSlow && rows.rows.some((row) => row["kind"] === "change")) {
            await new Promise((resolve) => setTimeout(resolve, 10));
          }
          return plain.write(stream, rows);
        },
      }),
    );
    await synced(run);
    for (let count = 0; count < 3000; count += 1) venue.send("A");
    await expect.poll(() => venue.sockets[0]?.readyState).toBe(3);
    store.isSlow = false;
    await expect.poll(() => venue.sockets.length).toBe(2);
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
    const stored = await changes();
    const [gap] = await gaps();
    expect(gap?.reason).toContain("overflow");
    // Everything taken before the drop is stored without a hole; the gap begins at its last frame.
    expect(stored).toHaveLength(Number(stored.map((event) => event.slice(1)).sort((a, b) => Number(b) - Number(a))[0]));
    expect(stored.length).toBeGreaterThanOrEqual(500);
    expect(stored.length).toBeLessThan(3000);
  });

  test("waits for an unavailable store; rows that it refuses are parked and their time is a gap", async () => {
    let failures = 0;
    const plain = makeRun();
    const run = start(
      makeRun({
        write: (stream, rows) => {
          if (rows.rows.some((row) => row["kind"] === "change") && failures < 3) {
            failures += 1;
            throw new StoreError("absent", 999, "the engine is away");
          }
          if (rows.rows.some((row) => row["instrument"] === "B" && row["kind"] === "change")) {
            throw new StoreError("failed", 27, "cannot parse");
          }
          return plain.write(stream, rows);
        },
      }),
    );
    await synced(run);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    expect(await gaps()).toEqual([]);
    venue.send("B");
    await expect.poll(async () => (await engines.db.selectFrom("parked").select("path").execute()).length).toBe(1);
    await expect.poll(gaps).toMatchObject([{ reason: expect.stringContaining("refused") as string }]);
    venue.send("A");
    await expect.poll(changes).toEqual(["A1", "A2"]);
  });

  test("spreads instruments over sockets and follows the known list", async () => {
    let wanted = ["A", "B", "C", "D", "E"];
    const run = start(makeRun({ known: () => Promise.resolve(wanted) }, { maxInstrumentsPerSocket: 2 }));
    await synced(run);
    expect(venue.sockets).toHaveLength(3);
    expect([...venue.received].sort()).toEqual(["subscribe A,B", "subscribe C,D", "subscribe E"]);
    wanted = ["B", "C", "F"];
    await expect.poll(() => venue.received.includes("subscribe F")).toBe(true);
    await expect.poll(() => venue.received).toContain("unsubscribe A");
    await expect.poll(() => venue.sockets.filter((socket) => socket.readyState === 1).length).toBe(2);
    await expect.poll(() => resyncs.some((each) => each.join() === "F")).toBe(true);
    await synced(run);
    expect(await gaps()).toEqual([]);
  });

  describe("with a slow store", () => {
    test("stores an instrument's undecoded frames before leaving it, with a gap for what is broken", async () => {
      const { run, slow, want } = slowRun();
      await synced(start(run));
      venue.send("A");
      await expect.poll(() => slow.isHeld).toBe(true);
      for (const asset of ["B", "B", "C"]) venue.send(asset);
      venue.lose("C");
      venue.send("C");
      await expect.poll(() => slow.frames).toBe(5);
      await want(["A"]);
      slow.release();
      await expect.poll(() => venue.received).toContain("unsubscribe B,C");
      expect(await changes()).toEqual(["A1", "B1", "B2", "C1", "C3"]);
      const gap = { instrument: "C", reason: "after 1 came 3", to_at: expect.any(Date) as Date };
      await expect.poll(gaps).toMatchObject([gap]);
      expect(resyncs).toEqual([["A", "B", "C"]]);
      await synced(run);
    });

    test("keeps an instrument that is wanted again before it was left", async () => {
      const { run, slow, want } = slowRun();
      await synced(start(run));
      venue.send("B");
      await expect.poll(() => slow.isHeld).toBe(true);
      await want(["A", "C"]);
      await want(["A", "C", "B"]);
      slow.release();
      await synced(run);
      venue.send("B");
      await expect.poll(changes).toEqual(["B1", "B2"]);
      expect(venue.received).toEqual(["subscribe A,B,C"]);
      expect(await gaps()).toEqual([]);
    });
  });

  test("follows the first of the list; the rest is omitted, with a lasting gap that does not affect the others", async () => {
    let wanted = ["A", "B", "C"];
    const run = start(
      makeRun({ known: () => Promise.resolve(wanted), pace: { maxSockets: 1 } }, { maxInstrumentsPerSocket: 2 }),
    );
    await synced(run);
    expect(run.watch.note).toBe("1 instruments are not followed: all 1 sockets are full");
    await expect.poll(gaps).toMatchObject([{ instrument: "others", to_at: null, reason: run.watch.note }]);
    await expect.poll(async () => (await followed()).length).toBe(2);
    wanted = ["C", "A", "B"];
    await expect.poll(left).toEqual(["B"]);
    await expect.poll(async () => (await followed()).map(({ instrument }) => instrument)).toEqual(["A", "B", "C"]);
    const coverage = createCoverage({ ...engines, connectors: [run.connector], derivations: [], clock: systemClock });
    const gapsOf = async (instruments?: readonly string[]) =>
      (await coverage(["book_events"], { ...(instruments && { instruments }) })).gaps.length;
    expect([await gapsOf(["A"]), await gapsOf()]).toEqual([0, 1]);
    wanted = ["C", "A"];
    await expect.poll(async () => (await gaps())[0]?.to_at ?? null).not.toBeNull();
  });

  test("unfollows nothing while the list of instruments is empty", async () => {
    let wanted = ["A", "B"];
    let requested = 0;
    const known = () => {
      requested += 1;
      return Promise.resolve(wanted);
    };
    const run = start(makeRun({ known }));
    await synced(run);
    await expect.poll(async () => (await followed()).length).toBe(2);
    wanted = [];
    const before = requested;
    await expect.poll(() => requested).toBeGreaterThan(before + 1);
    expect(run.watch.note).toBe("no instruments are known now");
    venue.send("A");
    await expect.poll(changes).toEqual(["A1"]);
    wanted = ["A"];
    await expect.poll(left).toEqual(["B"]);
    expect(venue.sockets).toHaveLength(1);
  });

  test("considers all markets that the store knows, so that none is omitted silently", async () => {
    await engines.store.run(
      sql`INSERT INTO kalshi_markets (ticker, status, version) SELECT concat('T-', toString(number)), 'active', 1 FROM numbers(50003)`,
    );
    const { connector } = makeRun({}, { maxInstrumentsPerSocket: 50_000 });
    const ingest = startIngest({
      ...engines,
      connectors: [connector],
      derivations: [],
      settings: { [HOST.setting]: "ws://127.0.0.1:1" },
      metrics: new Registry(),
      clock: systemClock,
      signal: stop.signal,
      socketsPerStream: 1,
    });
    const note = async () => (await ingest.status()).streams[0]?.note;
    await expect.poll(note).toBe("3 instruments are not followed: all 1 sockets are full");
    await ingest.stop();
    await engines.store.run(sql`TRUNCATE TABLE kalshi_markets`);
  });

  test("records the service's downtime as a gap, and ends a gap that a crash left open", async () => {
    const reached = new Date(Date.now() - 60_000);
    await engines.db.insertInto("streams").values({ name: "books", reached, since: reached }).execute();
    await engines.db.insertInto("gaps").values({ stream: "books", from_at: reached, reason: "left open" }).execute();
    const run = start(makeRun());
    await synced(run);
    await expect.poll(async () => (await gaps()).every(({ to_at }) => to_at !== null)).toBe(true);
    expect(await gaps()).toMatchObject([
      { reason: "left open" },
      { reason: "the service was not running", from_at: reached },
    ]);
  });

  test("reopens sockets when the machine's clock is set; the time around it does not count as followed", async () => {
    let aheadMs = 0;
    const run = start(makeRun({ clock: { ...systemClock, now: () => Date.now() + aheadMs } }));
    await synced(run);
    const before = Date.now();
    aheadMs = 60_000;
    await expect.poll(() => venue.sockets.length).toBe(2);
    await synced(run);
    await expect.poll(() => run.watch.openGaps).toBe(0);
    aheadMs = 0;
    const after = Date.now();
    await expect.poll(() => venue.sockets.length).toBe(3);
    await synced(run);
    await expect.poll(() => run.watch.openGaps).toBe(0);
    expect(run.watch.reached).toBeLessThanOrEqual(Date.now());
    const written = await gaps();
    const isInGap = (timestamp: number): boolean =>
      written.some(({ from_at: from, to_at: to }) => from.getTime() <= timestamp && timestamp <= (to?.getTime() ?? 0));
    expect([before, after].map(isInGap)).toEqual([true, true]);
    expect(written.map(({ reason }) => reason)).toContain("the machine's clock was set by -60.0 s");
  });

  test("a stream that began with its clock behind records a gap at its start once the clock is corrected", async () => {
    const began = Date.now();
    const { run, putRight } = await runBySlowClock(2000);
    const since = run.watch.since ?? 0;
    expect(since).toBeLessThan(began);
    await putRight();
    const found = await gaps();
    const first = found.find(({ from_at }) => from_at.getTime() === since);
    expect(Number(first?.to_at)).toBeGreaterThanOrEqual(began);
    expect(Number(first?.to_at)).toBeLessThan(since + 3_000);
  });

  test("moves gap ends and the starts of followed instruments later once a clock that was behind is corrected", async () => {
    const at = new Date(Date.now() - 60_000);
    const own = {
      stream: "books",
      from_at: new Date(0),
      to_at: new Date(Number(at) - 2 * 86_400_000),
      reason: "long ago",
    };
    const other = { stream: "others", from_at: at, to_at: at, reason: "of another stream" };
    await engines.db.insertInto("streams").values({ name: "books", reached: at, since: at }).execute();
    await engines.db.insertInto("gaps").values([own, other]).execute();
    const { putRight } = await runBySlowClock(2000);
    await expect.poll(async () => (await gaps()).every(({ to_at }) => to_at !== null)).toBe(true);
    await expect.poll(async () => (await followed()).length).toBe(2);
    const [gapsBefore, heldBefore] = [await gaps(), await followed()];
    await putRight();
    const [gapsAfter, heldAfter] = [await gaps(), await followed()];
    expect(gapsAfter.slice(0, 2)).toEqual(gapsBefore.slice(0, 2));
    const [stopped, corrected] = [gapsBefore[2], gapsAfter[2]];
    expect(corrected).toMatchObject({ reason: "the service was not running", from_at: stopped?.from_at });
    const laterMs = [Number(corrected?.to_at) - Number(stopped?.to_at)];
    for (const [place, { since }] of heldBefore.entries())
      laterMs.push(Number(heldAfter[place]?.since) - Number(since));
    // Both clocks are read one after the other.
    for (const ms of laterMs) expect(Math.abs(ms - 2000)).toBeLessThan(500);
  });

  test("rows stamped ahead by the venue are a gap until their time is past and all states are fetched again", async () => {
    const { clock, skip } = skippingClock();
    const run = start(makeRun({ clock }));
    await synced(run);
    const [before, aheadTo] = [Date.now(), Date.now() + 5000];
    venue.send("A", aheadTo);
    await expect.poll(() => run.watch.openGaps).toBe(1);
    venue.send("A");
    await expect.poll(async () => (await changes()).length).toBe(2);
    expect(await gaps()).toMatchObject([{ instrument: null, to_at: null }]);
    skip(6000);
    venue.send("A", clock.now());
    await expect.poll(() => resyncs.length).toBe(2);
    await synced(run);
    await expect.poll(() => run.watch.openGaps).toBe(0);
    const [ahead] = await gaps();
    expect(ahead?.reason).toContain("ahead of this machine's clock");
    expect(ahead?.from_at.getTime()).toBeLessThanOrEqual(before);
    expect(ahead?.to_at?.getTime()).toBeGreaterThan(aheadTo);
  });

  test("rows that an earlier run stored ahead of now are a gap from their time until all states are fetched again", async () => {
    const { clock, skip } = skippingClock();
    const ask = createKnown(engines.store, clock.now);
    const known: SocketRun["known"] = (question, among) =>
      question === "book_times_ahead" ? ask(question, among) : Promise.resolve(["A", "B"]);
    const restart = async (): Promise<SocketRun> => {
      stop.abort(new Error("stopping"));
      await running;
      stop = new AbortController();
      const run = start(makeRun({ clock, known }));
      await synced(run);
      return run;
    };
    await restart();
    const aheadMs = [Date.now() + 8000, Date.now() + 9000];
    for (const at of aheadMs) venue.send("A", at);
    await expect.poll(async () => (await changes()).length).toBe(2);
    for (let restarts = 0; restarts < 2; restarts += 1) {
      const { watch } = await restart();
      await expect.poll(() => watch.openGaps).toBe(1);
    }
    const from_at = new Date(aheadMs[0] ?? 0);
    const isAhead = ({ from_at: from }: { from_at: Date }) => from.getTime() === from_at.getTime();
    expect((await gaps()).filter(isAhead)).toMatchObject([{ instrument: null, to_at: null }]);
    const before = resyncs.length;
    skip(10_000);
    venue.send("A", clock.now());
    await expect.poll(() => resyncs.length).toBeGreaterThan(before);
    await expect.poll(async () => (await gaps()).find(isAhead)?.to_at?.getTime()).toBeGreaterThan(aheadMs[1] ?? 0);
  });

  test("if the last run's clock was ahead, its progress counts only up to the last gap", async () => {
    const [reached, noticed] = [new Date(Date.now() + 60_000), new Date(Date.now() - 10_000)];
    await engines.db.insertInto("streams").values({ name: "books", reached, since: noticed }).execute();
    await engines.db
      .insertInto("gaps")
      .values({ stream: "books", from_at: new Date(0), to_at: noticed, reason: "the machine's clock was set" })
      .execute();
    const run = start(makeRun());
    await synced(run);
    await expect.poll(async () => (await gaps())[1]?.to_at ?? null).not.toBeNull();
    expect((await gaps())[1]).toMatchObject({ reason: "the service was not running", from_at: noticed });
    expect(run.watch.reached).toBeLessThanOrEqual(Date.now());
  });

  test("waits for a venue that is down at first", async () => {
    venue.close();
    const run = start(makeRun());
    await expect.poll(() => run.watch.lastError ?? "").toContain("ECONNREFUSED");
    venue = await openVenue();
    expect(run.watch.state).not.toBe("caught_up");
  });
});

test("keeps instruments on their socket, fills free slots first and omits the rest", () => {
  const sockets = new Map([
    [1, { instruments: new Set(["A", "B"]) }],
    [2, { instruments: new Set(["C"]) }],
  ]);
  expect(assignInstruments(sockets, ["B", "D", "E", "F", "G"], 2, 2)).toMatchObject({
    changes: [
      { number: 1, added: ["D"], removed: ["A"] },
      { number: 2, added: ["E", "F"], removed: ["C"] },
    ],
    empty: [],
    fresh: [],
    leftOut: 1,
  });
});

test("gives slots to the most wanted instruments; near the cut-off, current ones keep their slot", () => {
  const wanted = Array.from({ length: 20 }, (_, index) => `T${index}`);
  const choose = (...placed: string[]) => choosePlaced(wanted, new Set(placed), 10).slice(8);
  expect(choosePlaced(wanted, new Set(), 10)).toEqual(wanted.slice(0, 10));
  expect(choose()).toEqual(["T8", "T9"]);
  expect(choose("T9", "T11")).toEqual(["T9", "T11"]);
  expect(choose("T11", "T15")).toEqual(["T11", "T8"]);
  expect(choosePlaced(wanted, new Set(wanted.slice(10)), 10).slice(0, 8)).toEqual(wanted.slice(0, 8));
  expect(choosePlaced(wanted, new Set(["T19"]), 20)).toEqual(wanted);
});
