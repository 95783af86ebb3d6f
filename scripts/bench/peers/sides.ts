import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { connectors } from "../../../packages/server/src/catalogue.ts";
import { bodyOf, post } from "../ask-question.ts";
import { startChild } from "../child-process.ts";
import { startService, type BenchService } from "../start-service.ts";
import type { Asked } from "./mixes.ts";
import { startPostgresOn } from "./postgres-server.ts";

export type SideName = "almanac" | "postgres" | "bare";

/** Something that answers questions over HTTP, and all the processes it takes. */
export type Side = {
  readonly name: SideName;
  readonly pids: readonly number[];
  readonly ask: (question: Asked) => Promise<{ readonly isGood: boolean; readonly bytes: ArrayBuffer }>;
  readonly stop: () => Promise<void>;
};

type Process = { readonly pids: readonly number[]; readonly baseUrl: string; readonly key: string };

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function sideOf(name: SideName, { pids, baseUrl, key }: Process, stop: () => Promise<void>): Side {
  const pool = new Pool(baseUrl, { connections: 64, pipelining: 1 });
  return {
    name,
    pids,
    ask: ({ agentId, params, limit }) => post(pool, key, bodyOf(agentId, params, limit)),
    stop: async () => {
      await pool.close();
      await stop();
    },
  };
}

/** Almanac itself, as one process with its serving indexes up to date; the engine is a child of it. */
export async function startAlmanac(
  data: string,
  main?: string,
): Promise<Side & Pick<BenchService, "child" | "baseUrl" | "key">> {
  const port = await freePort();
  const env = {
    ALMANAC_ROLE: "all",
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
    ALMANAC_METRICS_PORT: String(port),
  };
  const { pid, child, baseUrl, key, stop } = await startService(data, env, main);
  while (!(await areIndexesReady(`http://127.0.0.1:${port}/metrics`))) await sleep(LOOK_MS);
  return { ...sideOf("almanac", { pids: [pid], baseUrl, key }, stop), child, baseUrl, key };
}

/** The same as a process that can be told to store fills. */
export const startStoring = (data: string): ReturnType<typeof startAlmanac> =>
  startAlmanac(data, fileOf("storing-service.ts"));

const LOOK_MS = 1000;

/** While one is built it is behind by NaN. */
async function areIndexesReady(metrics: string): Promise<boolean> {
  const text = await (await fetch(metrics)).text();
  const behind = [...text.matchAll(/^almanac_serving_behind_seconds\{.*\} (\S+)$/gm)].map(([, value]) => Number(value));
  return behind.length > 0 && behind.every((seconds) => seconds === 0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The service with Fastify, and PostgreSQL on the folder that was filled. */
export async function startPostgresSide(folder: string): Promise<Side> {
  const server = await startPostgresOn(folder);
  const key = "peer-key-0001";
  const env = { ...process.env, DATABASE_URL: server.url, PEER_KEY: key };
  const { pid, said, stop } = await startChild([fileOf("postgres-service.ts")], env).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  return sideOf("postgres", { pids: [pid, server.pid], baseUrl: said["base_url"] ?? "", key }, async () => {
    await stop();
    await server.stop();
  });
}

/** Bare node:http with what `from` answers to these questions. */
export async function startBare(folder: string, from: Side, questions: readonly Asked[]): Promise<Side> {
  const pairs: [string, string][] = [];
  for (const question of questions) {
    const { bytes } = await from.ask(question);
    pairs.push([bodyOf(question.agentId, question.params, question.limit), Buffer.from(bytes).toString("utf8")]);
  }
  const answers = join(folder, "bare-answers.json");
  writeFileSync(answers, JSON.stringify(pairs));
  const { pid, said, stop } = await startChild([fileOf("bare-service.ts")], { ...process.env, BARE_ANSWERS: answers });
  return sideOf("bare", { pids: [pid], baseUrl: said["base_url"] ?? "", key: "none" }, stop);
}
