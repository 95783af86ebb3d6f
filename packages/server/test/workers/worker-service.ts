import cluster from "node:cluster";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { createAccount } from "../../src/access/accounts.ts";
import type { AdminContext } from "../../src/access/change.ts";
import { createKey } from "../../src/access/keys.ts";
import { editPlan } from "../../src/access/plans.ts";
import { connectors } from "../../src/catalogue.ts";
import { readConfig } from "../../src/config.ts";
import type { KeyMode } from "../../src/definition/vocabulary.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { openServing } from "../../src/main/serving.ts";
import { freePort } from "../fixtures/free-port.ts";
import { insertSamples } from "../fixtures/sample-rows.ts";
import { layMigrated } from "../fixtures/open-migrated-store.ts";
import { tempFolder } from "../records/temp-folder.ts";

/** A path that the router but no worker takes for the endpoint: it is forwarded, and the owner itself answers. */
const OWNERS_ENDPOINT = ENDPOINT.replace(/d$/, "%64");

export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** Starts the service with so many workers and samples of every table, without ingestion and derivations. */
export async function openWorkerService(workers: number, settings: Readonly<Record<string, string>> = {}) {
  const folder = tempFolder();
  const metricsPort = await freePort();
  // Left by a ninth worker of an earlier run.
  mkdirSync(join(folder.path, "data", "workers", "9"), { recursive: true });
  const config = readConfig({
    API_WORKERS: String(workers),
    ALMANAC_DATA_DIR: join(folder.path, "data"),
    ALMANAC_PORT: "0",
    ALMANAC_METRICS_PORT: String(metricsPort),
    LOG_LEVEL: "error",
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
    ...settings,
  });
  await layMigrated(config.dataDir);
  const serving = await openServing(config, pino({ level: "silent" }), { worksOut: () => false });
  const { store, records } = serving.service().engines;
  await insertSamples(store);
  const admin: AdminContext = { db: records.db, clock: Date.now, actor: "test" };
  const makeKey = async (
    plan: string,
    email = `${plan}@x.example`,
    mode: KeyMode = "strict",
  ): Promise<{ key: string; id: string; account: string }> => {
    const { account } = await createAccount(admin, { name: "a", email, plan });
    const { key, summary } = await createKey(admin, { account: account.id, mode });
    return { key, id: summary.id, account: account.id };
  };
  await editPlan(admin, "enterprise", { requests_per_minute: 1_000_000, burst: 1_000_000 });
  const { key, id: keyId } = await makeKey("enterprise");
  const post = async (body: unknown, by: { key?: string; path?: string } = {}): Promise<Reply> => {
    const reply = await fetch(serving.baseUrl + (by.path ?? ENDPOINT), {
      method: "POST",
      headers: { authorization: `Bearer ${by.key ?? key}`, "content-type": "application/json", connection: "close" },
      body: JSON.stringify(body),
    });
    return { status: reply.status, headers: reply.headers, body: (await reply.json()) as Record<string, unknown> };
  };
  return {
    baseUrl: serving.baseUrl,
    store,
    admin,
    key,
    keyId,
    makeKey,
    post,
    postToOwner: (body: unknown, by: { key?: string } = {}) => post(body, { ...by, path: OWNERS_ENDPOINT }),
    metric: async (name: string): Promise<number> => {
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const line = text.split("\n").find((each) => each.startsWith(`${name} `));
      return Number(line?.split(" ").at(-1) ?? 0);
    },
    listFolders: () => readdirSync(join(folder.path, "data", "workers")),
    pids: () => Object.values(cluster.workers ?? {}).map((worker) => worker?.process.pid ?? 0),
    close: async () => {
      await serving.close();
      folder.remove();
    },
  };
}

export type WorkerService = Awaited<ReturnType<typeof openWorkerService>>;
