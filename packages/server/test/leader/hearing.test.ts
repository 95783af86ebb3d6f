import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createAccount } from "../../src/access/accounts.ts";
import { createKey } from "../../src/access/keys.ts";
import { editPlan } from "../../src/access/plans.ts";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { openService, type Service } from "../../src/main/open-service.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import { openTestQuery } from "../fixtures/open-test-query.ts";
import { FILL_START, fill, market, table } from "../fixtures/sample-rows.ts";
import { freePort } from "../fixtures/free-port.ts";
import { findPostgres, startPostgres, type TestPostgres } from "../records/start-postgres.ts";
import { tempFolder } from "../records/temp-folder.ts";
import { startCluster, type TestCluster } from "../scale/cluster/start-cluster.ts";

const found = findPostgres();
const reason = "reason" in found ? ` (left out: ${found.reason})` : "";
const fills = table("polymarket_fills");
const OFTEN = { interval: 100 };
const iso = (second: number): string => new Date(second * 1000).toISOString();
/** One fill per block, each two seconds after the one before. */
const inBlock = (block: number) => fill(block, { ts: FILL_START + block * 2, block_number: block });

const storeOf = (service: Service | undefined): OpenStore => (service as Service).engines.store;

type Reply = {
  readonly data: { readonly results: readonly unknown[] };
  readonly pagination: { readonly next_cursor: string | null };
};
type Requested = { readonly answer: unknown; readonly by: "index" | "engine" };

describe.skipIf("reason" in found)(`an api process alongside the leader${reason}`, () => {
  const folder = tempFolder();
  const metricsOf = new Map<string, string>();
  let [postgres, cluster]: [TestPostgres | undefined, TestCluster | undefined] = [undefined, undefined];
  let [leader, api]: Service[] = [];
  /** A process that publishes no changes. */
  let silent: OpenStore | undefined;
  let key = "";
  beforeAll(async () => {
    const bin = "bin" in found ? found.bin : "";
    [postgres, cluster] = await Promise.all([startPostgres(bin), startCluster({ shards: 1, replicas: 1 })]);
    const shared = {
      CLICKHOUSE_URL: cluster.url,
      DATABASE_URL: await postgres.newDatabase(),
      ALMANAC_PORT: "0",
      SERVING_BYTES: "1000000000",
      // No process takes over here: a busy machine may keep the leader from renewing for longer than the default.
      LEASE_SECONDS: "60",
      STREAMS_OFF: connectors.map(({ name }) => name).join(","),
    };
    const start = async (name: string, role: string): Promise<Service> => {
      const port = await freePort();
      const own = { ALMANAC_DATA_DIR: `${folder.path}/${name}`, ALMANAC_METRICS_PORT: String(port) };
      const config = readConfig({ ...shared, ...own, ALMANAC_ROLE: role });
      metricsOf.set(role, `http://127.0.0.1:${port}/metrics`);
      return openService(config, pino({ level: process.env["TEST_LOG"] ?? "silent" }), { worksOut: () => false });
    };
    leader = await start("leader", "all");
    await vi.waitUntil(() => leader?.ingest?.leads(), { interval: 20, timeout: 60_000 });
    await leader.engines.store.insert(fills, [inBlock(1), inBlock(2), inBlock(3)]);
    api = await start("api", "api");
    silent = await openStore({ address: api.engines.store.address });
    const admin = { db: api.engines.records.db, clock: Date.now, actor: "test" };
    await editPlan(admin, "enterprise", { requests_per_minute: 1_000_000, burst: 1_000_000, max_page: 10_000 });
    const { account } = await createAccount(admin, { name: "a", email: "a@x.example", plan: "enterprise" });
    ({ key } = await createKey(admin, { account: account.id }));
  });
  afterAll(async () => {
    await api?.close();
    await leader?.close();
    await silent?.close();
    await Promise.all([postgres?.stop(), cluster?.stop()]);
    folder.remove();
  });

  const metrics = async (role: string): Promise<string> => (await fetch(metricsOf.get(role) as string)).text();
  const behindSeconds = async (): Promise<number> => {
    const line = /^almanac_serving_behind_seconds\{table="polymarket_fills"\} (\S+)$/m.exec(await metrics("api"));
    return Number(line?.[1]);
  };
  const pages = async (role: string): Promise<Record<string, number>> => {
    const counts = (await metrics(role)).matchAll(/^almanac_serving_pages_total\{by="(\w+)"\} (\d+)$/gm);
    return Object.fromEntries([...counts].map(([, by, count]) => [by, Number(count)]));
  };
  const post = async (agentId: number, { baseUrl }: Service, pagination: object): Promise<Reply> => {
    const reply = await fetch(baseUrl + ENDPOINT, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ agent_id: agentId, params: {}, pagination }),
    });
    return (await reply.json()) as Reply;
  };
  let limit = 100;
  /** Sends a different query each time, so that no answer is cached. */
  const ask = async (agentId: number, role: string): Promise<Requested> => {
    limit += 1;
    const service = (role === "api" ? api : leader) as Service;
    const before = await pages(role);
    const { data } = await post(agentId, service, { limit });
    const after = await pages(role);
    return { answer: data.results, by: (after["index"] ?? 0) > (before["index"] ?? 0) ? "index" : "engine" };
  };
  /** Number of fills in the answer, and what answered. */
  const askFills = async (role = "api"): Promise<string> => {
    const { answer, by } = await ask(556, role);
    return `${(answer as unknown[]).length} by ${by}`;
  };

  const byEngine = async (agentId: number): Promise<unknown> => openTestQuery(silent as OpenStore).rows(agentId);
  /** Asserts that all fills are answered from the index, identically to the engine. */
  const areServed = async (count: number): Promise<void> => {
    await expect.poll(() => askFills(), OFTEN).toBe(`${count} by index`);
    expect((await ask(556, "api")).answer).toEqual(await byEngine(556));
  };
  /** Keeps every process from reading and writing the change log; `gone` of its entries are missing afterwards. */
  const withoutLog = async (work: () => Promise<void>, gone = 0): Promise<void> => {
    const { db } = (api as Service).engines.records;
    await db.transaction().execute(async (transaction) => {
      await sql`lock table stored_head in access exclusive mode`.execute(transaction);
      await work();
      await transaction
        .updateTable("stored_head")
        .set((set) => ({ seq: set("seq", "+", gone) }))
        .execute();
    });
  };

  test("answers with the leader's stored rows from its own index, identically to the engine", async () => {
    await areServed(3);
    for (let block = 4; block < 8; block += 1) {
      await storeOf(leader).insert(fills, [inBlock(block)]);
      await expect.poll(() => askFills(), OFTEN).toBe(`${block} by index`);
    }
    await areServed(7);
    await expect.poll(() => askFills("all"), OFTEN).toBe("7 by index");
  });

  test("answers with lists from its index too", async () => {
    const markets = table("polymarket_markets");
    await storeOf(leader).insert(markets, [market(1), market(2)]);
    const listed = async () => {
      const { answer, by } = await ask(574, "api");
      return `${(answer as unknown[]).length} by ${by}`;
    };
    await expect.poll(listed, OFTEN).toBe("2 by index");
    await storeOf(leader).insert(markets, [market(1, { question: "Will it snow?" }), market(3)]);
    await expect.poll(listed, OFTEN).toBe("3 by index");
    expect((await ask(574, "api")).answer).toEqual(await byEngine(574));
  });

  test("drops rows of orphaned blocks from its index", async () => {
    const scope = { from: 6, to: 7, since: iso(FILL_START + 10), until: iso(FILL_START + 14) };
    await storeOf(leader).replace(fills, [inBlock(6)], { scope, before: async () => undefined });
    await areServed(6);
  });

  test("answers from the engine while the change log is unreadable, and from the index again afterwards", async () => {
    await withoutLog(async () => {
      await expect.poll(() => askFills(), OFTEN).toBe("6 by engine");
      expect(await behindSeconds()).toBeGreaterThan(1);
      await storeOf(leader).insert(fills, [inBlock(8)]);
      await expect.poll(() => askFills(), OFTEN).toBe("7 by engine");
    });
    await areServed(7);
    await expect.poll(behindSeconds, OFTEN).toBeLessThan(1);
  });

  test("compares the index with the store if change log entries were gone before it read them", async () => {
    // This process publishes no changes.
    await withoutLog(async () => void (await silent?.insert(fills, [inBlock(9)])), 5);
    await areServed(8);
  });

  test("returns each row that existed when a walk began exactly once, whatever is stored meanwhile", async () => {
    const before = (await byEngine(556)) as unknown[];
    const walked: unknown[] = [];
    let cursor: string | null = null;
    for (let page = 0; page === 0 || cursor !== null; page += 1) {
      const { data, pagination } = await post(556, api as Service, { limit: 3, ...(cursor !== null && { cursor }) });
      walked.push(...data.results);
      cursor = pagination.next_cursor;
      await storeOf(leader).insert(fills, [fill(500 + page, { ts: FILL_START + 10_000 + page })]);
      await expect.poll(() => askFills(), OFTEN).toBe(`${9 + page} by index`);
    }
    expect(walked).toEqual(before);
  });
});
