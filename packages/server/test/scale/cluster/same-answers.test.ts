import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datasets } from "../../../src/catalogue/datasets.ts";
import type { Store } from "../../../src/store/store.ts";
import { deriveAll, openTestQuery } from "../../fixtures/open-test-query.ts";
import { insertSamples, SAMPLE_PARAMS } from "../../fixtures/sample-rows.ts";
import { TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";

const NOW = Date.now();
/** When a row was worked out, which each store did by itself. */
const OWN_MOMENTS = new Set(["snapshot_time", "last_updated"]);
const stores: TopologyStore[] = [];
const queries: ReturnType<typeof openTestQuery>[] = [];

beforeAll(async () => {
  for (const { open } of [TOPOLOGIES[0], TOPOLOGIES[2]].filter((topology) => topology !== undefined)) {
    const store = await open();
    stores.push(store);
    await fill(store);
    queries.push(openTestQuery(store, () => NOW));
  }
}, 600_000);
afterAll(async () => {
  await Promise.all(stores.map((store) => store.close()));
});

async function fill(store: Store): Promise<void> {
  await insertSamples(store);
  await deriveAll(store);
}

const withoutMoments = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !OWN_MOMENTS.has(field)));

describe("the embedded store and 2 shards of 2 replicas answer the same", () => {
  test.each(datasets.map(({ name, agentId }) => [name, agentId] as const))("%s", async (_name, agentId) => {
    const question = { params: SAMPLE_PARAMS[agentId] ?? {} };
    const [embedded, cluster] = await Promise.all(queries.map((query) => query.rows(agentId, question)));
    expect(embedded?.length).toBeGreaterThan(0);
    expect(cluster?.map(withoutMoments)).toEqual(embedded?.map(withoutMoments));
  });
});
