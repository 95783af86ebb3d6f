import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { InsertRow } from "../../src/definition/table.ts";
import { sql } from "../../src/definition/sql.ts";
import { openStore, type OpenStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { polymarketFills } from "../../src/tables/polymarket-fills.ts";
import { openTestStore } from "../fixtures/open-test-store.ts";
import { fillRow } from "../ingest/fill-rows.ts";
import { keysOnEach, migrateCluster, openClusterStore } from "../scale/cluster/open-cluster-store.ts";
import { startCluster } from "../scale/cluster/start-cluster.ts";

const START = Date.UTC(2026, 10, 20) / 1000;
const ROWS = 5;
const ROUNDS = 8;
const sure = (): void => undefined;

type Engine = { readonly stores: readonly OpenStore[]; readonly stop: () => Promise<void> };

async function openSingle(): Promise<Engine> {
  const first = await openTestStore();
  const second = await openStore({ address: first.address });
  return { stores: [first, second], stop: () => first.close() };
}

async function openShards(): Promise<Engine> {
  const cluster = await startCluster({ shards: 2, replicas: 1 });
  const stores = [await openClusterStore(cluster), await openClusterStore(cluster)];
  await migrateCluster(stores[0] as OpenStore);
  return { stores, stop: cluster.stop };
}

const fillsOf = (round: number): InsertRow[] =>
  Array.from({ length: ROWS }, (_, index) => fillRow(round * ROWS + index, START + round));

describe.each([
  ["one engine", openSingle],
  ["two shards", openShards],
])("on %s", (_name, open) => {
  let engine: Engine;
  let writers: readonly Store[];
  beforeAll(async () => {
    engine = await open();
    const [first, second] = engine.stores as [OpenStore, OpenStore];
    writers = [
      first.under({ check: sure, hasGuests: () => true }),
      second.under({ check: sure, isGuest: true }),
      second.under({ check: sure, isGuest: true }),
    ];
  });
  afterAll(async () => {
    for (const writer of writers) await writer.close();
    await engine.stores[1]?.close();
    await engine.stop();
  });

  test("commands that store the same rows as the owner and each other at the same moment double none", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const rows = fillsOf(round);
      const stored = await Promise.all(writers.map((writer) => writer.insert(polymarketFills, rows)));
      expect(stored.reduce((sum, one) => sum + one.stored, 0)).toBe(ROWS);
    }
    const [store] = engine.stores as [OpenStore];
    const [found] = await store.rows<{ rows: string; ids: string; copies: string }>(
      sql`SELECT count() AS rows, uniqExact(tx_hash) AS ids, (SELECT count() FROM polymarket_fills_by_wallet) AS copies FROM polymarket_fills`,
    );
    const all = String(ROUNDS * ROWS);
    expect(found).toEqual({ rows: all, ids: all, copies: all });
    if (store.cluster === undefined) return;
    const each = await keysOnEach(store, polymarketFills.name);
    expect(new Set(each.flat()).size).toBe(ROUNDS * ROWS);
  }, 120_000);
});
