import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sql as records } from "kysely";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { definePull, type Connector, type Host, type PullConnector } from "../../src/definition/connector.ts";
import { sql } from "../../src/definition/sql.ts";
import { backfillStream } from "../../src/ingest/backfill-stream.ts";
import { systemClock, type Clock } from "../../src/ingest/clock.ts";
import { saveState } from "../../src/ingest/control/save-batch.ts";
import { createCoverage } from "../../src/ingest/coverage/coverage.ts";
import { startIngest } from "../../src/ingest/schedule.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { fillRow, minuteCounts } from "./fill-rows.ts";
import { openEngines } from "./open-engines.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const HOST: Host = { name: "venue", setting: "VENUE_URL", share: 0.5, limits: { all: { tokens: 200, perSeconds: 1 } } };
const page = z.object({ ids: z.array(z.number()) });

let engines: Awaited<ReturnType<typeof openEngines>>;
let url: string;
let answer: (path: string) => { status: number; body: string };
const server = createServer((request, response) => {
  const { status, body } = answer(request.url ?? "");
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body);
});

beforeAll(async () => {
  engines = await openEngines();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await engines.close();
});
beforeEach(async () => {
  for (const table of ["streams", "backfills", "derivations", "parked"] as const)
    await engines.db.deleteFrom(table).execute();
  for (const table of [
    "polymarket_fills",
    "polymarket_fills_by_wallet",
    "polymarket_fills_by_token",
    "polymarket_candles_1m",
  ]) {
    await engines.store.run({ kind: "sql", text: `TRUNCATE TABLE ${table}`, values: [] });
  }
  answer = (path) => ({ status: 200, body: JSON.stringify({ ids: [Number(/from=(\d+)/.exec(path)?.[1])] }) });
});

function connector(name: string, more: Partial<Omit<PullConnector, "kind">> = {}): PullConnector {
  return definePull({
    name,
    title: `Stream ${name}`,
    venue: "polymarket",
    host: HOST,
    tables: [polymarketFills],
    everySeconds: 60,
    canBackfill: true,
    async *pull({ feed, cursor, range }) {
      let id = typeof cursor?.["id"] === "number" ? cursor["id"] : 0;
      const end = id + (range ? 20 - id : 5);
      while (id < end) {
        const reply = await feed.get({ path: `/${name}`, query: [["from", String(id)]], route: "all" }, page);
        const rows = (reply?.ids ?? []).map((each) => fillRow(each, START + each));
        id += 1;
        yield {
          rows: [{ table: polymarketFills, rows }],
          cursor: { id },
          since: new Date(START * 1000).toISOString(),
          reached: new Date((START + id) * 1000).toISOString(),
          ...(id === end ? { isCaughtUp: true } : {}),
        };
      }
    },
    ...more,
  });
}

function options(connectors: readonly Connector[], settings: Record<string, string | undefined> = { VENUE_URL: url }) {
  return {
    connectors,
    derivations: [minuteCounts],
    ...engines,
    settings,
    metrics: new Registry(),
    clock: systemClock,
    signal: new AbortController().signal,
  };
}

const trades = async (): Promise<string> => {
  const rows = await engines.store.rows<{ trades: string }>(
    sql`SELECT toString(sum(trade_count)) AS trades FROM polymarket_candles_1m FINAL`,
  );
  return rows[0]?.trades ?? "";
};

describe("ingest", () => {
  test("runs streams from HTTP to stored and derived rows, and stops with all of them saved", async () => {
    const given = options([connector("trades")]);
    const ingest = startIngest(given);
    await expect.poll(async () => (await ingest.status()).streams[0]?.state).toBe("caught_up");
    const status = await ingest.status();
    expect(status.streams[0]).toMatchObject({
      name: "trades",
      cursor: { id: 5 },
      errors: 0,
      rowsStored: 5,
      gaps: { fillable: 0, unfillable: 0 },
    });
    expect(status.streams[0]?.rowsPerSecond).toBeGreaterThan(0);
    expect(status.hosts["venue"]?.routes["all"]?.factor).toBe(1);
    await ingest.stop();
    // Rows stored before the stop are derived without waiting for a cycle.
    expect(Number(await trades())).toBeGreaterThanOrEqual(5);
    const saved = await engines.db.selectFrom("streams").selectAll().executeTakeFirstOrThrow();
    expect(saved.state).toBe("stopped");
    expect(await given.metrics.metrics()).toContain(
      'almanac_ingest_rows_stored_total{stream="trades",table="polymarket_fills"}',
    );
  });

  test("exports no state of streams, hosts and derivations once this process no longer leads", async () => {
    const given = options([connector("trades")]);
    const leadership = {
      db: engines.db,
      label: "this process",
      seconds: 60,
      clock: systemClock,
      monotonicMs: () => performance.now(),
      log: engines.log,
      begin: () => Promise.resolve({ store: engines.store, db: engines.db }),
      end: () => Promise.resolve(),
    };
    const ingest = startIngest({ ...given, leadership });
    const state =
      /^almanac_ingest_(?:stream_(?:lag|behind|failing)|open_gaps|gap_seconds|parked|upstream_(?:speed|tokens|waiting)|derive_pending).*\} \d/m;
    await expect.poll(() => given.metrics.metrics()).toMatch(state);
    expect(await given.metrics.metrics()).toContain("almanac_ingest_leader 1");
    await ingest.stop();
    expect(await given.metrics.metrics()).toContain("almanac_ingest_leader 0");
    expect(await given.metrics.metrics()).not.toMatch(state);
  });

  test("a stream whose upstream changed does not stop others, and its page is parked", async () => {
    answer = (path) =>
      path.startsWith("/broken")
        ? { status: 200, body: '{"ids":["one"]}' }
        : { status: 200, body: JSON.stringify({ ids: [Number(/from=(\d+)/.exec(path)?.[1])] }) };
    const ingest = startIngest(options([connector("broken"), connector("trades")]));
    await expect
      .poll(async () => (await ingest.status()).streams.map(({ state }) => state))
      .toEqual(["failing", "caught_up"]);
    const [broken] = (await ingest.status()).streams;
    expect(broken?.lastError).toContain("ids[0]");
    await ingest.stop();
    const parked = await engines.db.selectFrom("parked").selectAll().execute();
    expect(parked[0]).toMatchObject({ stream: "broken", path: "/broken?from=0", body: '{"ids":["one"]}' });
  });

  test("leaves streams off that lack settings, stating what they would add, and streams that are replaced", async () => {
    const needs = { settings: ["RPC_URL"], adds: "order hashes" };
    const connectors = [connector("chain", { needs }), connector("data", { replacedBy: "chain" })];
    const without = startIngest(options(connectors));
    await expect.poll(async () => (await without.status()).streams[1]?.state).toBe("caught_up");
    expect((await without.status()).streams[0]).toMatchObject({
      state: "off",
      note: "set RPC_URL to turn it on; it would add order hashes",
    });
    await without.stop();
    const cover = createCoverage({ connectors, derivations: [], db: engines.db, clock: systemClock });
    const range = { from: new Date(START * 1000).toISOString(), to: new Date((START + 4) * 1000).toISOString() };
    expect(await cover(["polymarket_fills"], range)).toMatchObject({ complete: true, reasons: [] });
    const both = startIngest(options(connectors, { VENUE_URL: url, RPC_URL: "x" }));
    await expect.poll(async () => (await both.status()).streams[0]?.state).toBe("caught_up");
    expect((await both.status()).streams[1]).toMatchObject({
      state: "replaced",
      note: "chain is on and delivers the same rows",
    });
    await both.stop();
  });

  test("records that a stream is replaced once the records are writable, whatever state an earlier run left", async () => {
    const connectors = [connector("chain"), connector("data", { replacedBy: "chain" })];
    await saveState(engines.db, "data", "running", new Date());
    const alter = (text: string) => records.raw(text).execute(engines.db);
    await alter("ALTER TABLE streams RENAME TO streams_away");
    const clock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };
    const failures = vi.spyOn(engines.log, "warn");
    const ingest = startIngest({ ...options(connectors), clock });
    try {
      const saying = [expect.anything(), "a stream's state could not be recorded"];
      await expect.poll(() => failures.mock.calls).toContainEqual(saying);
    } finally {
      await alter("ALTER TABLE streams_away RENAME TO streams");
    }
    const state = engines.db.selectFrom("streams").select("state").where("name", "=", "data");
    await expect.poll(() => state.executeTakeFirst()).toEqual({ state: "replaced" });
    await ingest.stop();
    failures.mockRestore();
  });

  test("stops immediately while an upstream hangs", async () => {
    const hanging = createServer(() => undefined);
    await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const ingest = startIngest(options([connector("trades")], { VENUE_URL: address }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    const began = Date.now();
    await ingest.stop();
    expect(Date.now() - began).toBeLessThan(2000);
    hanging.closeAllConnections();
    hanging.close();
  });

  test("runs a backfill from HTTP to derived rows", async () => {
    const seen: (number | undefined)[] = [];
    const { connectors: _connectors, ...given } = options([]);
    const range = { from: new Date(START * 1000).toISOString(), to: new Date((START + 20) * 1000).toISOString() };
    const onProgress = ({ share }: { share: number | undefined }): void => void seen.push(share);
    expect(await backfillStream({ ...given, connector: connector("trades"), range, onProgress })).toEqual({
      isFinished: true,
      rows: 20,
    });
    expect(seen.at(-1)).toBe(1);
    expect(await trades()).toBe("20");
  });
});
