import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { datasets, derivations } from "../../../src/catalogue.ts";
import { engineSeconds } from "../../../src/ingest/timestamps.ts";
import { runRebuild } from "../../../src/ingest/rebuild.ts";
import type { Store } from "../../../src/store/store.ts";
import { deriveAll, openTestQuery } from "../../fixtures/open-test-query.ts";
import { fill as fillOf, FILL_START, insertSamples, SAMPLE_PARAMS } from "../../fixtures/sample-rows.ts";
import { TOPOLOGIES, type TopologyStore } from "../../fixtures/topologies.ts";

const NOW = Date.now();
const DAY_SECONDS = 86_400;
/** When a row was computed, which differs between stores. */
const OWN_TIMESTAMPS = new Set(["snapshot_time", "last_updated"]);

async function fill(store: Store): Promise<void> {
  await insertSamples(store);
  await deriveAll(store);
  await deriveTouched(store);
}

/** Rebuilds some buckets with changes since a timestamp, as a service does once rows arrived. */
async function deriveTouched(store: Store): Promise<void> {
  const starts = [FILL_START, FILL_START + DAY_SECONDS].map((second) => second - (second % DAY_SECONDS));
  const range = { from: engineSeconds(FILL_START - DAY_SECONDS), to: engineSeconds(FILL_START + 2 * DAY_SECONDS) };
  for (const derivation of derivations)
    await runRebuild(derivation, store, { ...range, starts, changedSince: "1", version: "2" });
}

const withoutTimestamps = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([field]) => !OWN_TIMESTAMPS.has(field)));

describe("the embedded store and 2 shards return the same rows", () => {
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
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  test.each(datasets.map(({ name, agentId }) => [name, agentId] as const))("%s", async (_name, agentId) => {
    const question = { params: SAMPLE_PARAMS[agentId] ?? {} };
    const [embedded, cluster] = await Promise.all(queries.map((query) => query.rows(agentId, question)));
    expect(embedded?.length).toBeGreaterThan(0);
    expect(cluster?.map(withoutTimestamps)).toEqual(embedded?.map(withoutTimestamps));
  });

  test.each([581, 1002])("%i for wallets whose ledger is folded on request", async (agentId) => {
    const proxy_wallet = [0, 1, 2, 3, 4].map((index) => String(fillOf(index)["wallet"])).join(",");
    const question = { params: { proxy_wallet, ...(agentId === 581 ? { window_days: "all" } : {}) } };
    const answers = queries.map((query) => query.rows(agentId, { ...question, pagination: { limit: 100 } }));
    const [embedded, cluster] = await Promise.all(answers);
    expect(embedded?.length).toBeGreaterThan(0);
    expect(cluster).toEqual(embedded);
  });
});
