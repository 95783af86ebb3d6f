import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPark } from "../../src/ingest/control/park-page.ts";
import { saveLive } from "../../src/ingest/control/live-record.ts";
import type { LiveStatus } from "../../src/ingest/status/live-status.ts";
import { systemClock } from "../../src/ingest/clock.ts";
import { connectors } from "../../src/catalogue.ts";
import type { OpenStore } from "../../src/store/open-store.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { insertSamples } from "../fixtures/sample-rows.ts";
import type { Browser } from "./browser.ts";
import { openConsoleHost, type ConsoleHost } from "./console-host.ts";

const HOSTILE = '<img src=x onerror=alert(1)>"\u202e\u0000=cmd()';

let store: OpenStore;
let host: ConsoleHost;
let operator: Browser;

beforeAll(async () => {
  store = await openTestStore();
  await insertSamples(store);
  host = await openConsoleHost({ store });
  operator = await host.signedIn((await host.makeUser(await host.makeAccount("Op"), "operator")).email);
});
afterAll(async () => {
  await host?.close();
  await store?.close();
});

test("only the operator may read the service's internal state", async () => {
  const account = await host.makeAccount("A");
  for (const role of ["member", "owner"] as const) {
    const browser = await host.signedIn((await host.makeUser(account, role)).email);
    for (const page of ["streams", "store", "parked", "usage"]) {
      expect((await browser.send("GET", `/operator/${page}`)).status).toBe(403);
    }
  }
});

describe("the page of streams", () => {
  test("lists every stream as not started if no process gathers", async () => {
    const { status, json } = await operator.send("GET", "/operator/streams");
    expect(status).toBe(200);
    expect(json["running"]).toBe(false);
    expect(json["streams"]).toHaveLength(connectors.length);
    expect((json["streams"] as unknown[])[0]).toMatchObject({ state: "not started", rows_stored: 0, open_gaps: 0 });
  });

  test("shows the state that another gathering process recorded, with the budgets of its hosts", async () => {
    const name = connectors[0]?.name ?? "";
    const stream = { name, title: "T", state: "failing", note: null, cursor: { page: "x" }, reached: null };
    const more = { since: null, lagSeconds: 12.5, isBehind: true, rowsPerSecond: 3, errors: 2 };
    const route = { factor: 0.5, tokens: 3, capacity: 10 };
    const live = {
      streams: [{ ...stream, ...more, lastError: HOSTILE, lastErrorAt: "2026-11-22T00:00:00.000Z" }],
      hosts: { gamma: { waiting: 4, routes: { "*": route } } },
      derivations: { candles: 7 },
    } as unknown as LiveStatus;
    await saveLive(host.records.db, JSON.parse(JSON.stringify(live).replaceAll("\\u0000", "")), new Date());
    const { json } = await operator.send("GET", "/operator/streams");
    expect(json).toMatchObject({
      running: true,
      hosts: { gamma: { waiting: 4, routes: { "*": route } } },
      derivations: { candles: 7 },
    });
    const reported = (json["streams"] as readonly Record<string, unknown>[]).find((one) => one["name"] === name);
    expect(reported).toMatchObject({
      state: "failing",
      lag_seconds: 12.5,
      behind: true,
      rows_per_second: 3,
      errors: 2,
    });
    expect(json["trouble"]).toEqual(expect.arrayContaining([expect.stringContaining(`${name} is failing`)]));
  });
});

/** Returns when the engine last changed each table, in Unix seconds by table name. */
async function changesNow(): Promise<ReadonlyMap<string, number>> {
  const rows = await store.rows<{ table: string; at: number }>({
    kind: "sql",
    text: "SELECT table, toUnixTimestamp(max(modification_time)) AS at FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table",
    values: [],
  });
  return new Map(rows.map(({ table, at }) => [table, Number(at)]));
}

describe("the page of the store", () => {
  test("lists the tables, largest first, with the engine's own figures", async () => {
    const before = await changesNow();
    const { status, json } = await operator.send("GET", "/operator/store");
    const after = await changesNow();
    expect(status).toBe(200);
    const tables = json["tables"] as readonly Record<string, unknown>[];
    const fills = tables.find(({ name }) => name === "polymarket_fills") ?? {};
    const counted = await store.rows<{ n: string }>({
      kind: "sql",
      text: "SELECT count() AS n FROM polymarket_fills",
      values: [],
    });
    expect(fills).toMatchObject({ rows: Number(counted[0]?.n), copy_of: null, parts: 1 });
    expect(fills).toMatchObject({ oldest_at: "2025-10-09T08:53:20.000Z", newest_at: "2025-10-09T09:55:20.000Z" });
    expect(fills["about"]).toEqual(expect.any(String));
    expect(Number(fills["compression"])).toBeGreaterThan(1);
    expect(tables.find(({ name }) => name === "polymarket_fills_by_wallet")).toMatchObject({
      copy_of: "polymarket_fills",
      oldest_at: null,
    });
    expect(tables.find(({ name }) => name === "schema_migrations")).toMatchObject({ about: null, copy_of: null });
    const bytes = tables.map((one) => Number(one["bytes"]));
    expect(bytes).toEqual(bytes.toSorted((a, b) => b - a));
    for (const { name, changed_at } of tables) {
      const reported = Date.parse(String(changed_at)) / 1000;
      expect(reported).toBeGreaterThanOrEqual(before.get(String(name)) ?? Number.NaN);
      expect(reported).toBeLessThanOrEqual(after.get(String(name)) ?? Number.NaN);
    }
  });

  test("shows the engine's version, memory and free disk space", async () => {
    const { engine } = (await operator.send("GET", "/operator/store")).json as { engine: Record<string, number> };
    expect(engine["version"]).toMatch(/^\d+\.\d+/);
    expect(engine["queries"]).toBeGreaterThanOrEqual(1);
    for (const name of ["memory_bytes", "memory_limit_bytes", "disk_free_bytes", "disk_total_bytes"])
      expect(engine[name], name).toBeGreaterThan(1_000_000);
    expect(engine["disk_free_bytes"]).toBeLessThan(engine["disk_total_bytes"] ?? 0);
  });

  test("shows when the last backup completed, and null before the first", async () => {
    expect((await operator.send("GET", "/operator/store")).json["last_backup_at"]).toBeNull();
    const at = new Date("2026-11-21T03:15:07Z");
    const backup = { actor: "cli:ann", action: "backup.create", subject: "s3://backups/almanac", at };
    await host.records.db
      .insertInto("audit")
      .values([backup, { ...backup, action: "backup.prune", at: new Date("2026-11-22T03:15:07Z") }])
      .execute();
    expect((await operator.send("GET", "/operator/store")).json["last_backup_at"]).toBe(at.toISOString());
  });

  test("returns 503 without the engine's error if the engine does not answer", async () => {
    const broken = await openConsoleHost({
      store: { rows: async () => Promise.reject(new Error("Code: 60. secret_table")) },
    });
    const browser = await broken.signedIn((await broken.makeUser(await broken.makeAccount("Op"), "operator")).email);
    const { status, json, text } = await browser.send("GET", "/operator/store");
    expect([status, json]).toMatchObject([503, { error: { code: "UNAVAILABLE" } }]);
    expect(text).not.toContain("secret_table");
    await broken.close();
  });
});

describe("parked pages", () => {
  const page = { host: "gamma.example", route: "/markets", path: "/markets?limit=1", problem: "expected a number" };
  beforeAll(async () => {
    const park = createPark(host.records.db, systemClock);
    for (let at = 0; at < 5; at += 1) {
      const stream = at === 4 ? "other-stream" : "some-stream";
      await park({ ...page, stream, field: "0.price", sample: HOSTILE + "x".repeat(5000), body: `{"secret":${at}}` });
    }
    const refused = [{ position: "3", key: { id: "a" }, text: "{}", span: undefined, instrument: undefined }];
    await park({ ...page, stream: "some-stream", field: "3.id", sample: "{}", body: "[]", refused });
    await park({ ...page, stream: "some-stream", field: "3.id", sample: "{}", body: "[]", refused });
    const { db } = host.records;
    await db.updateTable("parked").set({ replayed_at: new Date() }).where("stream", "=", "other-stream").execute();
  });

  type Listed = { readonly pages: readonly Record<string, unknown>[]; readonly has_more: boolean };
  const list = async (query = ""): Promise<Listed> =>
    (await operator.send("GET", `/operator/parked${query}`)).json as unknown as Listed;

  test("are listed newest first, as truncated text without their bodies", async () => {
    const { pages, has_more } = await list();
    expect(has_more).toBe(false);
    expect(pages).toHaveLength(6);
    expect(pages[0]).toMatchObject({ ...page, field: "3.id", times: 2, refused_rows: 1, replayed_at: null });
    const sample = String(pages[2]?.["sample"]);
    expect(sample).toHaveLength(501);
    expect(sample.startsWith("<img src=x onerror=alert(1)>")).toBe(true);
    expect(JSON.stringify(pages)).not.toContain("secret");
    expect(Number(pages[2]?.["body_bytes"])).toBe(12);
  });

  test("are paged, and filtered by stream and by whether they await replay", async () => {
    const first = await list("?limit=2");
    expect(first.has_more).toBe(true);
    const second = await list(`?limit=4&before=${String(first.pages[1]?.["id"])}`);
    expect(second.has_more).toBe(false);
    const all = (await list()).pages.map(({ id }) => id);
    expect([...first.pages, ...second.pages].map(({ id }) => id)).toEqual(all);
    expect((await list("?state=waiting")).pages).toHaveLength(5);
    expect((await list("?state=read")).pages.map(({ stream }) => stream)).toEqual(["other-stream"]);
    expect((await list("?stream=other-stream&state=waiting")).pages).toEqual([]);
  });

  test.each(["limit=0", "limit=201", "limit=x", "before=-1", "state=lost", "stream=", "page=2"])(
    "reject the query %s",
    async (query) => {
      expect((await operator.send("GET", `/operator/parked?${query}`)).status).toBe(400);
    },
  );
});

test("the page of usage by account is empty before any request", async () => {
  const { status, json } = await operator.send("GET", "/operator/usage");
  expect(status).toBe(200);
  expect(json).toEqual({ accounts: [], days: [] });
});
