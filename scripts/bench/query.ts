import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Pool } from "undici";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { askEngine, askHttp } from "./ask-question.ts";
import { benchQuestions } from "./questions.ts";
import { fileURLToPath } from "node:url";
import { startChild } from "./child-process.ts";
import { makeKey } from "./make-key.ts";
import { childrenOf, residentMiB } from "./process-use.ts";

const MAIN = fileURLToPath(new URL("../../packages/server/src/main.ts", import.meta.url));

type BenchService = {
  readonly baseUrl: string;
  readonly key: string;
  readonly memory: () => { readonly service_mib: number; readonly engine_mib: number };
  readonly stop: () => Promise<void>;
};

/** The service as a process of its own on a data folder, gathering nothing, with a key that is not limited. */
async function startService(dataDir: string): Promise<BenchService> {
  const env = { ...process.env, ALMANAC_DATA_DIR: dataDir, ALMANAC_PORT: "0", ALMANAC_ROLE: "api", LOG_LEVEL: "error" };
  const { pid, said, stop } = await startChild([MAIN, "serve", "--json"], env);
  const key = await makeKey(env).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    baseUrl: said["base_url"] ?? "",
    key,
    memory: () => ({ service_mib: residentMiB(pid), engine_mib: Math.max(...childrenOf(pid).map(residentMiB)) }),
    stop,
  };
}

export type QueryBench = {
  readonly data: string;
  readonly seconds: number;
  readonly clients: readonly number[];
  /** Only questions whose name begins with one of these; all when empty. */
  readonly only: readonly string[];
};
type Line = { question: string; clients: number; over: "http" | "engine" } & Measured;

/** Each dataset over HTTP, and the same SQL straight to the same engine, in turns of one run. */
export async function benchQuery({ data, seconds, clients, only }: QueryBench): Promise<void> {
  const folder = resolve(data);
  if (!existsSync(join(folder, "columns"))) {
    throw new Error(
      `${folder} holds no store. Make one:\n  npm run exchange -- generate --fills 20000000 --out /tmp/world --seed 7\n  ALMANAC_DATA_DIR=${folder} npm run almanac -- load /tmp/world`,
    );
  }
  const service = await startService(folder);
  const store = await openStore({ folder: join(folder, "columns") });
  const lines: Line[] = [];
  try {
    const rest = service.memory();
    const all = await benchQuestions(store);
    const questions = all.filter(({ name }) => only.length === 0 || only.some((one) => name.startsWith(one)));
    const pool = new Pool(service.baseUrl, { connections: Math.max(...clients), pipelining: 1 });
    for (const question of questions) {
      for (const count of clients) {
        lines.push({
          question: question.name,
          clients: count,
          over: "http",
          ...(await measure(count, seconds, (turn) => askHttp(pool, service.key, question, turn))),
        });
        lines.push({
          question: question.name,
          clients: count,
          over: "engine",
          ...(await measure(count, seconds, (turn) => askEngine(store, question, turn + 1_000_000))),
        });
        printLine(lines.at(-2), lines.at(-1));
      }
    }
    const load = service.memory();
    const [size] = await store.rows<{ fills: string; bytes: string }>({
      kind: "sql",
      text: "SELECT toString((SELECT count() FROM polymarket_fills)) AS fills, toString(sum(bytes_on_disk)) AS bytes FROM system.parts WHERE active AND startsWith(table, 'polymarket_fills')",
      values: [],
    });
    const perFill = Number(size?.bytes) / Number(size?.fills);
    process.stdout.write(`\nfills ${size?.fills}, ${perFill.toFixed(1)} bytes a fill on disk in three sort orders\n`);
    process.stdout.write(
      `memory at rest ${rest.service_mib.toFixed(0)} + ${rest.engine_mib.toFixed(0)} MiB, after load ${load.service_mib.toFixed(0)} + ${load.engine_mib.toFixed(0)} MiB (service + engine)\n`,
    );
    writeFileSync(
      join(folder, "bench-query.json"),
      JSON.stringify({ at: new Date().toISOString(), size, rest, load, lines }, null, 1),
    );
    await pool.close();
  } finally {
    await store.close();
    await service.stop();
  }
}

const cell = (value: number): string => value.toFixed(1).padStart(8);

function printLine(http: Line | undefined, engine: Line | undefined): void {
  if (!http || !engine) return;
  process.stdout.write(
    `${http.question.padEnd(26)} ${String(http.clients).padStart(2)} clients | http p50 ${cell(http.p50)} p99 ${cell(http.p99)} ms ${cell(http.perSecond)}/s failed ${http.failed} | engine p50 ${cell(engine.p50)} p99 ${cell(engine.p99)} ms ${cell(engine.perSecond)}/s\n`,
  );
}

type Measured = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
};

/** Runs `ask` in `clients` loops for `seconds` and gives the latencies in milliseconds. The first tenth warms up. */
async function measure(clients: number, seconds: number, ask: (turn: number) => Promise<boolean>): Promise<Measured> {
  const warmUntil = performance.now() + seconds * 100;
  const until = warmUntil + seconds * 1000;
  const taken: number[] = [];
  let failed = 0;
  let turn = 0;
  const loop = async (): Promise<void> => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      const started = now;
      turn += 1;
      const isGood = await ask(turn);
      if (started < warmUntil) continue;
      taken.push(performance.now() - started);
      if (!isGood) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, loop));
  const sorted = taken.sort((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { requests: sorted.length, perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), failed };
}
