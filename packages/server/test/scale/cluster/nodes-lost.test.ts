import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { fromDefinition } from "../../../src/definition/sql.ts";
import type { InsertRow } from "../../../src/definition/table.ts";
import type { OpenStore } from "../../../src/store/open-store.ts";
import { StoreError, toNumbered } from "../../../src/store/statement.ts";
import { fill, market, table } from "../../fixtures/sample-rows.ts";
import { keysOnEach, migrateCluster, openClusterStore } from "./open-cluster-store.ts";
import { startCluster, type TestCluster } from "./start-cluster.ts";

const fills = table("polymarket_fills");
const everywhere = [fills.name, ...Object.keys(fills.copies ?? {})];
const rowsFrom = (first: number, count: number): InsertRow[] =>
  Array.from({ length: count }, (_, index) => fill(first + index));

let cluster: TestCluster;
let store: OpenStore;
beforeAll(async () => {
  cluster = await startCluster({ shards: 2, replicas: 1 });
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

const count = async (by = store): Promise<number> => {
  const [row] = await by.rows<{ n: string }>(fromDefinition(`SELECT count() AS n FROM ${fills.name}`));
  return Number(row?.n);
};
const nodeAt = (index: number) => {
  const node = cluster.nodes[index];
  if (node === undefined) throw new Error(`no node ${index}`);
  return node;
};

/** Retries the same batch until it is stored, as ingest does. */
async function insertUntilStored(rows: readonly InsertRow[], by = store): Promise<void> {
  for (;;) {
    try {
      await by.insert(fills, rows);
      return;
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== "absent") throw error;
      await sleep(50);
    }
  }
}

/** Expects the shards together to hold this number of rows, each once, in every sort order. */
async function expectEachOnce(rows: number): Promise<void> {
  for (const name of everywhere) {
    const keys = (await keysOnEach(store, name)).flat();
    expect([name, keys.length, new Set(keys).size]).toEqual([name, rows, rows]);
  }
}

test("statements that this process may not send are not remembered as still running", async () => {
  const nodes = store.cluster;
  const [node] = nodes?.list ?? [];
  if (nodes === undefined || node === undefined) throw new Error("no cluster");
  const remembered = () => nodes.list.map(({ abandoned }) => abandoned.size);
  const before = remembered();
  const refused = nodes.change(node, "connection", toNumbered(fromDefinition("SELECT 1")), { check: notLeading });
  await expect(refused).rejects.toThrow("another process leads");
  expect(remembered()).toEqual(before);
});

test("a filter on a sharding key reads one shard, in each of a table's sort orders", async () => {
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
  expect(held[1]?.length).toBeGreaterThan(0);
});

test("queries fail while a shard is down and never return part of the rows", async () => {
  const before = await count();
  await nodeAt(1).kill();
  for (let requested = 0; requested < 6; requested += 1)
    await expect(count()).rejects.toMatchObject({ kind: "absent" });
  expect(store.trouble()).toContain(nodeAt(1).httpUrl);
  await nodeAt(1).start();
  await expect.poll(() => store.trouble()).toBeUndefined();
  expect(await count()).toBe(before);
});

test("statements that cannot be sent, because no node answers, are not remembered as still running", async () => {
  await Promise.all(cluster.nodes.map((node) => node.kill()));
  for (const { httpUrl } of cluster.nodes) await expect.poll(() => store.trouble()).toContain(httpUrl);
  for (let tried = 0; tried < 5; tried += 1)
    await expect(store.insert(fills, rowsFrom(50_000, 1))).rejects.toMatchObject({ kind: "absent" });
  expect(store.cluster?.list.map(({ abandoned }) => abandoned.size)).toEqual([0, 0]);
});

const notLeading = (): never => {
  throw new Error("another process leads");
};

test("queries use the replica that answers, including a read that was in progress on the other", async () => {
  const pair = await startCluster({ shards: 1, replicas: 2, isReplicated: true });
  const read = await openClusterStore(pair, { database: "system" });
  const ask = () => read.rows(fromDefinition("SELECT toUInt8(sleep(1) + 1) AS one"));
  const answers = [ask(), ask(), ask(), ask()];
  await sleep(300);
  await pair.nodes[0]?.kill();
  answers.push(ask(), ask());
  expect(await Promise.all(answers)).toEqual(answers.map(() => [{ one: 1 }]));
  expect(read.trouble()).toContain(pair.nodes[0]?.httpUrl);
  await pair.nodes[1]?.kill();
  await expect(ask()).rejects.toMatchObject({ kind: "absent" });
  await read.close();
  await pair.stop();
});

test.each([0, 1])("node %i is killed in the middle of inserts, and no row is lost or duplicated", async (index) => {
  const before = await count();
  const batches = Array.from({ length: 6 }, (_, batch) => rowsFrom(10_000 * (index + 1) + batch * 200, 200));
  const inserting = (async () => {
    for (const batch of batches) await insertUntilStored(batch);
  })();
  await sleep(300);
  await nodeAt(index).kill();
  await expect(store.insert(table("polymarket_markets"), [market(1)])).rejects.toMatchObject({ kind: "absent" });
  await nodeAt(index).start();
  await inserting;
  await expectEachOnce(before + 1200);
});

test("a node paused during an insert does not block queries for long, and no row is duplicated once it resumes", async () => {
  const before = await count();
  const impatient = await openClusterStore(cluster, { silentMs: 1000 });
  const inserting = insertUntilStored(rowsFrom(30_000, 2000), impatient);
  await sleep(100);
  nodeAt(1).pause();
  await expect.poll(() => impatient.trouble()).toContain(nodeAt(1).httpUrl);
  await expect(count(impatient)).rejects.toMatchObject({ kind: "absent" });
  nodeAt(1).resume();
  await inserting;
  await expectEachOnce(before + 2000);
  await impatient.close();
});
