import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fromDefinition, sql } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import type { OpenStore } from "../../../src/store/open-store.ts";
import { StoreError } from "../../../src/store/store-error.ts";
import { fill, market, table } from "../../fixtures/sample-rows.ts";
import { keysOnEach, migrateCluster, nodesOf, onEach, openClusterStore } from "./open-cluster-store.ts";
import { startCluster, type TestCluster } from "./start-cluster.ts";

const fills = table("polymarket_fills");
const everywhere = [fills.name, ...Object.keys(fills.copies ?? {})];
const rowsFrom = (first: number, count: number): InsertRow[] =>
  Array.from({ length: count }, (_, index) => fill(first + index));

let cluster: TestCluster;
let store: OpenStore;
beforeAll(async () => {
  cluster = await startCluster({ shards: 2, replicas: 2 });
  store = await openClusterStore(cluster);
  await migrateCluster(store);
});
afterAll(async () => {
  await store.close();
  await cluster.stop();
});
afterEach(async () => {
  for (const node of cluster.nodes) node.resume();
  await Promise.all(cluster.nodes.map((node) => node.start()));
});

const count = async (): Promise<number> => {
  const [row] = await store.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${fills.name}`));
  return Number(row?.n);
};
const nodeAt = (index: number) => {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
};

/** As ingest does: the same batch again until it is stored. */
async function insertUntilStored(rows: readonly InsertRow[]): Promise<void> {
  for (;;) {
    try {
      await store.insert(fills, rows);
      return;
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== "absent") throw error;
      await sleep(300);
    }
  }
}

/** Every replica of a shard has the same rows, each once, and together they are `rows`. */
async function expectEqualReplicas(rows: number): Promise<void> {
  for (const name of everywhere) {
    const [a, b, c, d] = (await keysOnEach(store, name)) as [string[], string[], string[], string[]];
    expect(b, name).toEqual(a);
    expect(d, name).toEqual(c);
    expect(new Set([...a, ...c]).size, name).toBe(rows);
    expect(a.length + c.length, name).toBe(rows);
  }
}

test("a filter on a sharding key meets one shard, by each of a table's orders", async () => {
  await store.insert(fills, rowsFrom(0, 300));
  const readsOf = async (text: string): Promise<number> => {
    const lines = await store.rows<{ explain: string }>(fromDefinition(`EXPLAIN ${text}`));
    return lines.filter(({ explain }) => /ReadFrom(Remote|MergeTree)/.test(explain)).length;
  };
  const wallet = "toFixedString(unhex(substring('0x1100000000000000000000000000000000000022', 3)), 20)";
  expect(await readsOf(`SELECT * FROM polymarket_fills_by_wallet WHERE wallet = ${wallet} ORDER BY ts`)).toBe(1);
  expect(await readsOf("SELECT * FROM polymarket_fills_by_token WHERE token_id = toUInt256('77')")).toBe(1);
  expect(await readsOf("SELECT * FROM polymarket_fills ORDER BY ts LIMIT 3")).toBe(2);
  const held = await keysOnEach(store, fills.name);
  expect(held[0]?.length).toBeGreaterThan(0);
  expect(held[2]?.length).toBeGreaterThan(0);
});

test("killed in the middle of inserts, a node is read around, and nothing is lost or doubled", async () => {
  const before = await count();
  const batches = Array.from({ length: 8 }, (_, index) => rowsFrom(10_000 + index * 200, 200));
  const inserting = (async () => {
    for (const batch of batches) await insertUntilStored(batch);
  })();
  await sleep(300);
  await nodeAt(3).kill();
  for (let asked = 0; asked < 10; asked += 1) expect(await count()).toBeGreaterThanOrEqual(before);
  await expect.poll(() => store.trouble()).toContain(nodeAt(3).httpUrl);
  await expect(store.insert(table("polymarket_markets"), [market(1)])).rejects.toMatchObject({ kind: "absent" });
  await nodeAt(3).start();
  await inserting;
  await expectEqualReplicas(before + 1600);
});

test("when the node that is written to is killed, another one is, and nothing is lost or doubled", async () => {
  const before = await count();
  const inserting = (async () => {
    for (let index = 0; index < 6; index += 1) await insertUntilStored(rowsFrom(20_000 + index * 200, 200));
  })();
  await sleep(300);
  await nodeAt(0).kill();
  expect(await count()).toBeGreaterThanOrEqual(before);
  await sleep(500);
  await nodeAt(0).start();
  await inserting;
  await expectEqualReplicas(before + 1200);
});

test("held still, a node does not hold reads, and what it was writing does not come twice when it wakes", async () => {
  const before = await count();
  const inserting = insertUntilStored(rowsFrom(30_000, 2000));
  await sleep(100);
  nodeAt(1).pause();
  for (let asked = 0; asked < 5; asked += 1) expect(await count()).toBeGreaterThanOrEqual(before);
  await expect.poll(() => store.trouble(), { timeout: 30_000 }).toContain(nodeAt(1).httpUrl);
  nodeAt(1).resume();
  await inserting;
  await expectEqualReplicas(before + 2000);
});

/** Rows that no other one has, stored at a moment; `@` stands for the table. */
const lone = (from: number, moment: string): string =>
  `INSERT INTO @ SELECT * REPLACE (toUInt32(block_number + ${from}) AS block_number, reverse(order_hash) AS order_hash, toDateTime64('${moment}', 6, 'UTC') AS ingested_at) FROM @ ORDER BY ts, tx_hash LIMIT 5`;

test("what a process killed between two replicas left is on both before the next write, once", async () => {
  const before = await count();
  const [first] = nodesOf(store);
  const run = (node: typeof first, text: string, name: string) =>
    node?.shard.send({ text: text.replaceAll("@", name), parameters: [] });
  for (const name of everywhere) {
    const [latest] = await store.rows<{ at: string }>(
      fromDefinition(`SELECT toString(max(ingested_at)) AS at FROM ${name}`),
    );
    await run(first, lone(1, latest?.at ?? ""), name);
    // As two repairs at once could leave it.
    await run(first, `INSERT INTO @ SELECT * FROM @ WHERE ingested_at = toDateTime64('${latest?.at}', 6, 'UTC')`, name);
  }
  const next = await openClusterStore(cluster);
  await next.insert(fills, rowsFrom(40_000, 1));
  await next.close();
  const [a, b] = await keysOnEach(store, fills.name);
  expect(b).toEqual(a);
  expect(new Set(a).size).toBe(a?.length);
  expect(await count()).toBe(before + 6);
});

test("a node that lost its disk is not asked until migrate has given it its rows", async () => {
  await store.insert(table("polymarket_markets"), [market(1), market(2), market(3)]);
  const [rows, held] = [await count(), await keysOnEach(store, fills.name)];
  await nodeAt(2).kill();
  rmSync(join(nodeAt(2).folder, "columns"), { recursive: true });
  await nodeAt(2).start();
  await expect.poll(() => store.trouble(), { timeout: 30_000 }).toContain("run 'almanac migrate'");
  for (let asked = 0; asked < 6; asked += 1) expect(await count()).toBe(rows);
  const operator = await openClusterStore(cluster);
  expect((await migrateCluster(operator, true)).length).toBeGreaterThan(10);
  await operator.close();
  await expect.poll(() => store.trouble(), { timeout: 30_000 }).toBeUndefined();
  expect(await keysOnEach(store, fills.name)).toEqual(held);
  const markets = await onEach<{ n: string }>(store, sql`SELECT toString(count()) AS n FROM polymarket_markets FINAL`);
  expect(markets[2]).toEqual(markets[3]);
});
