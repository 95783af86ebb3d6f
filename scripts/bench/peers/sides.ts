import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { bodyOf, post } from "../ask-question.ts";
import { startChild } from "../child-process.ts";
import { startService } from "../start-service.ts";
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

/** Almanac itself; the engine is a child of it. */
export async function startAlmanac(data: string): Promise<Side> {
  const { pid, baseUrl, key, stop } = await startService(data);
  return sideOf("almanac", { pids: [pid], baseUrl, key }, stop);
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
