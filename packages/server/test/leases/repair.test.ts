import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenStore } from "../../src/store/open-store.ts";
import { StoreError } from "../../src/store/store-error.ts";
import { fill, table } from "../fixtures/sample-rows.ts";
import { keysOnEach, migrateCluster, nodesOf, openClusterStore } from "../scale/cluster/open-cluster-store.ts";
import { startCluster, type TestCluster } from "../scale/cluster/start-cluster.ts";

const fills = table("polymarket_fills");
const LONE = `INSERT INTO polymarket_fills SELECT * REPLACE (toUInt32(block_number + 1) AS block_number, reverse(order_hash) AS order_hash) FROM polymarket_fills ORDER BY ts, tx_hash LIMIT 5`;

let cluster: TestCluster;
let store: OpenStore;
beforeAll(async () => {
  cluster = await startCluster({ shards: 1, replicas: 2 });
  store = await openClusterStore(cluster);
  await migrateCluster(store);
});
afterAll(async () => {
  await store.close();
  await cluster.stop();
});

const isSure = { check: (): void => undefined };
const isLost = {
  check: (): void => {
    throw new StoreError("absent", 0, "the lease is lost");
  },
};
const counts = async (): Promise<number[]> => (await keysOnEach(store, fills.name)).map(({ length }) => length);

/** Rows on one replica alone, as an owner leaves them that is killed in the middle of an insert. */
const leaveLone = () => nodesOf(store)[0]?.shard.send({ text: LONE, parameters: [] });

test("replicas are made equal by an owner alone, and anew by whoever takes a table over", async () => {
  const first = store.under(isSure);
  await first.insert(
    fills,
    Array.from({ length: 20 }, (_, index) => fill(index + 1)),
  );
  await first.close();
  await leaveLone();
  expect(await counts()).toEqual([25, 20]);
  // This process took the table for equal when it wrote to it; the other owner left it otherwise since.
  await store.endWriters([fills.name]);
  const former = store.under(isLost);
  await expect(former.insert(fills, [fill(30)])).rejects.toMatchObject({ kind: "absent" });
  expect(await counts()).toEqual([25, 20]);
  const next = store.under(isSure);
  await next.insert(fills, [fill(31)]);
  await next.close();
  expect(await counts()).toEqual([26, 26]);
});
