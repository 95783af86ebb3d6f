import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { connectors } from "../../../packages/server/src/catalogue.ts";
import { SERVED } from "../../../packages/server/src/main/served-tables.ts";
import { freePort } from "../../../packages/server/test/fixtures/free-port.ts";
import { bodyOf, post } from "../ask-question.ts";
import { startChild } from "../../service/start-child.ts";
import { startService, type BenchService } from "../start-service.ts";
import type { Requested } from "./mixes.ts";
import { startPostgresOn } from "./postgres-server.ts";

export type SideName = "almanac" | "postgres" | "bare";

/** A service that answers queries over HTTP, and all of its processes. */
export type Side = {
  readonly name: SideName;
  readonly pids: readonly number[];
  readonly ask: (question: Requested) => Promise<{ readonly isGood: boolean; readonly bytes: ArrayBuffer }>;
  /** Pages so far that the column engine answered though their dataset has a serving index. */
  readonly enginePages?: () => Promise<number>;
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

/** Almanac itself, as one process with up-to-date serving indexes; the engine is its child process. */
export async function startAlmanac(
  data: string,
  main?: string,
): Promise<Side & Pick<BenchService, "child" | "baseUrl" | "key">> {
  const port = await freePort();
  const env = {
    ALMANAC_ROLE: "all",
    STREAMS_OFF: connectors.map(({ name }) => name).join(","),
    ALMANAC_METRICS_PORT: String(port),
    // The default is a share of free space, and an index that lacks rows would measure the disk of this machine.
    SERVING_BYTES: "1000000000000",
  };
  const { pid, child, baseUrl, key, stop } = await startService(data, env, main);
  const metrics = `http://127.0.0.1:${port}/metrics`;
  while (!(await areIndexesReady(metrics))) await sleep(LOOK_MS);
  const enginePages = async (): Promise<number> => {
    const [, count = "0"] = /^almanac_serving_pages_total\{by="engine"\} (\S+)$/m.exec(await textOf(metrics)) ?? [];
    return Number(count);
  };
  return { ...sideOf("almanac", { pids: [pid], baseUrl, key }, stop), child, baseUrl, key, enginePages };
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** Almanac as a process that stores fills on request. */
export const startStoring = (data: string): ReturnType<typeof startAlmanac> =>
  startAlmanac(data, fileOf("storing-service.ts"));

const LOOK_MS = 1000;

/** Indexes that cover only the newest days: they are never complete. */
const RECENT = new Set(SERVED.filter(({ served }) => served.maxDays !== undefined).map(({ served }) => served.name));

/** An index being built reports NaN as its lag; an incomplete one keeps serving until the complete one is built. */
async function areIndexesReady(metrics: string): Promise<boolean> {
  const gauges = [...(await textOf(metrics)).matchAll(GAUGES)].map(([, name, table = "", value]) => {
    return name === "whole_from" && RECENT.has(table) ? 0 : Number(value);
  });
  return gauges.length > 0 && gauges.every((seconds) => seconds === 0);
}

const GAUGES = /^almanac_serving_(behind|whole_from)_seconds\{table="(\w+)"\} (\S+)$/gm;

/** The service with Fastify, and PostgreSQL on the filled folder. */
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

/** Bare node:http with the responses that `from` gives to these queries. */
export async function startBare(folder: string, from: Side, questions: readonly Requested[]): Promise<Side> {
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
