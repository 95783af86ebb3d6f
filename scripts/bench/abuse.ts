import { once } from "node:events";
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Pool } from "undici";
import { type Got, type Target, type Reported, SCENES, type AbuseName, type Scene } from "./abuse/scenes.ts";
import { paidQuestions } from "./abuse/mix.ts";
import { askAtRate, payingAsk } from "./abuse/paying.ts";
import { probeLag, probeReady } from "./abuse/probes.ts";
import { abuseTables, figuresOf, type Seen } from "./abuse/report.ts";
import { startChild, type Started } from "../service/start-child.ts";
import { readPeerIds, type PeerIds } from "./peers/ids.ts";
import { startStoring } from "./peers/sides.ts";
import { beginStoring, endStoring } from "./peers/storing.ts";
import { childrenOf, cpuSeconds, treeCpuSeconds } from "./process-use.ts";
import { derivedStoreOfWorld, report, withStore } from "./store-of-world.ts";
import { makeKey, reportService } from "../service/report-service.ts";

/** More than any account may have. */
const MOST = 1000;

/** Creates an account of the free plan in the running service, with as many keys as it may have; returns the keys. */
async function makeFreeAccount(env: NodeJS.ProcessEnv): Promise<readonly string[]> {
  const email = `abuser-${Date.now()}@almanac.invalid`;
  await reportService(["account", "create", "--name", "abuser", "--email", email, "--plan", "free", "--json"], env);
  const keys = [await makeKey(env, email)];
  try {
    while (keys.length < MOST) keys.push(await makeKey(env, email));
  } catch {
    // The plan's key limit is reached.
  }
  return keys;
}

export type AbuseBench = {
  readonly fills: number;
  /** Folder where the world and its store are created and kept. */
  readonly data: string;
  /** Duration of each scene. */
  readonly seconds: number;
  /** Requests per second with the paying key. */
  readonly rate: number;
  /** Run only the scenes of these names, and the first; all when empty. */
  readonly only: readonly string[];
  /** Whether the last line printed is the figures as JSON. */
  readonly json: boolean;
};

/** Concurrent requests on the free plan (records/migrations/0017-at-once.sql). */
const FREE_AT_ONCE = 16;
const WARM_SECONDS = 10;
const REST_MS = 5000;
const [IDLE, FEWER_IDLE] = [10_000, 2_000];
/** Other files that the service or the abusers have open. */
const OTHER_FILES = 2_000;
const ABUSERS = fileURLToPath(new URL("abuse/abusers.ts", import.meta.url));

type Service = Awaited<ReturnType<typeof startStoring>>;
type Stage = {
  readonly service: Service;
  readonly abusers: Started<unknown>;
  readonly target: Target;
  readonly ids: PeerIds;
  readonly ask: ReturnType<typeof payingAsk>;
  readonly questionAt: ReturnType<typeof paidQuestions>;
};

/** A paying key sends a fixed mix at a fixed rate, alone and alongside each abuse. */
export async function benchAbuse({ fills, data, seconds, rate, only, json }: AbuseBench): Promise<void> {
  const { store, env } = await derivedStoreOfWorld(fills, data);
  const ids = await withStore(store, readPeerIds);
  const scenes = SCENES.filter(({ name }, index) => index === 0 || only.length === 0 || only.includes(name));
  const load = loadavg()[0] ?? Number.NaN;
  const service = await startStoring(store);
  const pool = new Pool(service.baseUrl, { connections: 256, pipelining: 1 });
  const seen: Seen[] = [];
  try {
    const abusers = await startChild([ABUSERS], process.env);
    try {
      const keys = await makeFreeAccount(env);
      const target = { ...ids, baseUrl: service.baseUrl, keys, atOnce: FREE_AT_ONCE, idleSockets: idleSockets() };
      report(`a free account has ${keys.length} keys`);
      const [ask, questionAt] = [payingAsk(pool, service.key), paidQuestions(ids)];
      const stage = { service, abusers, target, ids, ask, questionAt };
      await askAtRate(ask, questionAt, { rate, seconds: WARM_SECONDS, from: 0 });
      let from = rate * WARM_SECONDS;
      for (const scene of scenes) {
        await sleep(REST_MS);
        report(`${scene.name}: ${scene.about}`);
        seen.push(await play(stage, scene, { rate, seconds, from }));
        from += rate * seconds;
      }
    } finally {
      await abusers.stop();
    }
  } finally {
    await pool.destroy();
    await service.stop();
  }
  const figures = figuresOf(seen);
  process.stdout.write(`${abuseTables(figures)}\n\n`);
  for (const { name, about } of scenes) process.stdout.write(`${name}: ${about}\n`);
  process.stdout.write(`${AIMS}\n${rate} questions a second, ${seconds} s a scene; load before: ${load.toFixed(1)}\n`);
  if (json) process.stdout.write(`${JSON.stringify({ fills, seconds, rate, load, figures })}\n`);
}

const AIMS =
  "aims: p99 at most twice that of alone, no refusal, /ready within 1,000 ms, ingest lag with abuse as without (ingest)";

/** Runs one scene: starts its background load, and ends it once the last response has arrived. */
async function play(
  { service, abusers, target, ids, ask, questionAt }: Stage,
  { name: scene, abuses, isStoring }: Scene,
  pace: { readonly rate: number; readonly seconds: number; readonly from: number },
): Promise<Seen> {
  const [pid = 0] = service.pids;
  const endLag = isStoring ? probeLag(service.baseUrl, service.key, service.child) : undefined;
  if (isStoring) beginStoring(service.child, ids);
  if (abuses.length > 0) abusers.child.send({ begin: abuses, target } satisfies Reported);
  const endReady = probeReady(service.baseUrl);
  const [began, before] = [performance.now(), usedBy(pid)];
  const latencies = await askAtRate(ask, questionAt, pace);
  const [took, after] = [(performance.now() - began) / 1000, usedBy(pid)];
  const ready = await endReady();
  const lags = await endLag?.();
  const got = abuses.length > 0 ? await endAbuse(abusers) : {};
  if (isStoring) await endStoring(service.child);
  const cpu = { service: (after.service - before.service) / took, engine: (after.engine - before.engine) / took };
  return { scene, latencies, ready, lags, cpu, got };
}

async function endAbuse({ child }: Started<unknown>): Promise<Readonly<Partial<Record<AbuseName, Got>>>> {
  const reported = once(child, "message");
  child.send("end" satisfies Reported);
  const [got] = (await reported) as [Partial<Record<AbuseName, Got>>];
  return got;
}

const usedBy = (pid: number) => ({ service: cpuSeconds(pid), engine: treeCpuSeconds(childrenOf(pid)) });

/** As many as the issue requires if a process may open so many files: the service and the abusers each need them. */
function idleSockets(): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1]);
  const most = files >= IDLE + OTHER_FILES ? IDLE : FEWER_IDLE;
  report(`${most} idle connections, as a process may have ${files} files open (ulimit -n)`);
  return most;
}
