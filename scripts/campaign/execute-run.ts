import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveExchange, type ServedExchange } from "../../packages/exchange/src/serve.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { asker } from "../verify/ask.ts";
import type { BookHistory } from "../verify/book-history.ts";
import { canLookTo, MAX_CALM_MS, settleRun } from "./settle-run.ts";
import { compareRun } from "./compare-run.ts";
import { findDoubledRows } from "../verify/doubled-rows.ts";
import type { FaultCounts } from "./fault-watch.ts";
import { fillsOf } from "../verify/fills.ts";
import { liveRun } from "./live-run.ts";
import { MachineClock } from "./machine-clock.ts";
import { readPlaces } from "./read-places.ts";
import { Random } from "./random.ts";
import { runEnvironment } from "./run-environment.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunResult, StreamResult } from "./run-result.ts";
import { ServiceLives } from "./service-lives.ts";
import { copyTemplate } from "./template-folder.ts";
import { setTimeout as sleep } from "node:timers/promises";
import type { ServiceProcess } from "./service-process.ts";

/** Size of a jump; below the silence after which a socket counts as frozen. */
const STEP_MS = 20_000;
const LOOK_MS = 60;
/** Longest real time per step: work that is not done by then is waited for once the world is paused. */
const MAX_STEP_MS = 400;

/**
 * Advances the world without faults, in steps, each once the streams are idle, until the Data API check stream can pass
 * `lookedMs`: it trails the newest fill, and would never get there in a paused world.
 */
async function passCalmly(
  lookedMs: number,
  run: { readonly exchange: ServedExchange; readonly clock: MachineClock; readonly service: ServiceProcess },
): Promise<void> {
  const { exchange, clock, service } = run;
  for (let passed = 0; passed < MAX_CALM_MS && !canLookTo(lookedMs, exchange.world); passed += STEP_MS) {
    service.follow(clock.jump(STEP_MS));
    exchange.clock.jumpTo(exchange.clock.now() + STEP_MS);
    const until = performance.now() + MAX_STEP_MS;
    do await sleep(LOOK_MS);
    while (performance.now() < until && (await isBusy(service)));
  }
}

async function isBusy(service: ServiceProcess): Promise<boolean> {
  const reported = await service.status();
  return reported?.status.streams.some(({ state }) => state === "running") ?? false;
}

export type RunOptions = {
  readonly template: string;
  /** Folder of this run alone: its data, its log. */
  readonly folder: string;
};

/** Machine seconds per real second. */
const RATE = 10;
const DAY_MS = 86_400_000;
/** The machine's clock begins this far in the past, so that no time of a run lies ahead of the real clock. */
const AGO_MS = 6 * 3_600_000;
/** Backfill starts this long before the world began. */
const BEFORE_MS = 600_000;
const BOOKS = 24;

/** Executes a run and returns its result. Never throws for a failing service: that is a problem in the result. */
export async function executeRun(plan: RunPlan, options: RunOptions): Promise<RunResult> {
  const began = performance.now();
  const since = (): number => Math.round((performance.now() - began) / 100) / 10;
  const scene = await openScene(plan, options);
  const { exchange, lives } = scene;
  const problems: string[] = [];
  const phases: Record<string, number> = {};
  let outcome: Pick<RunResult, "streams" | "waiting"> = { streams: [], waiting: [] };
  let faults: FaultCounts = { injected: {}, strikes: {} };
  try {
    const { history, counts } = await liveRun(plan, scene);
    phases["stood_still"] = since();
    faults = counts;
    if (Object.values(counts.injected).every((times) => times === 0)) problems.push("no fault struck");
    const onSettled = (): void => void (phases["settled"] = since());
    outcome = await judge(plan, { ...scene, history, problems, onSettled });
    phases["compared"] = since();
  } catch (error) {
    problems.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  } finally {
    await lives.current?.stop();
    await exchange.close();
  }
  problems.push(...lives.problems);
  const isGood = problems.length === 0 && outcome.streams.every(({ undeclared }) => undeclared === 0);
  const { seed, source } = plan;
  const figures = { ...faults, kills: lives.killed, problems, seconds: since(), phases };
  const result: RunResult = { seed, source, isGood, ...figures, ...outcome };
  writeFileSync(join(options.folder, "result.json"), JSON.stringify({ plan, ...result }, undefined, 2));
  return result;
}

/** Opens a paused world, and a service that is not started yet. */
async function openScene(plan: RunPlan, options: RunOptions): Promise<Scene> {
  mkdirSync(options.folder, { recursive: true });
  const dataDir = join(options.folder, "data");
  rmSync(dataDir, { recursive: true, force: true });
  const key = copyTemplate(options.template, dataDir);
  const clock = MachineClock.startingAt(Date.now() - AGO_MS, 1);
  const exchange = await serveExchange({
    seed: plan.seed,
    speed: 0,
    wall: clock.now,
    from_ms: clock.now() - plan.world.days * DAY_MS,
    days: plan.world.days,
    world: { ...plan.world, kalshi_cutoff_ms: (plan.world.days * DAY_MS) / 3 },
  });
  const lives = new ServiceLives({
    clock,
    rate: RATE,
    kills: plan.kills,
    needsKill: plan.source === "data_then_chain",
    logFile: join(options.folder, "service.log"),
    orders: { needsKey: false, pastFromMs: exchange.world.start_ms - BEFORE_MS },
    environmentOf: (kills) =>
      runEnvironment(exchange.urls, {
        ...plan,
        folder: dataDir,
        hasNode: plan.source !== "data" && (plan.source !== "data_then_chain" || kills > 0),
      }),
  });
  return { clock, exchange, lives, key, dataDir };
}

type Scene = {
  readonly clock: MachineClock;
  readonly exchange: ServedExchange;
  readonly lives: ServiceLives;
  readonly key: string;
  readonly dataDir: string;
};

type Judging = Scene & {
  readonly history: BookHistory;
  readonly problems: string[];
  readonly onSettled: () => void;
};

async function judge(plan: RunPlan, scene: Judging): Promise<Pick<RunResult, "streams" | "waiting">> {
  const { clock, exchange, lives, history, key, problems, dataDir } = scene;
  exchange.faults.clear();
  const { service, baseUrl } = await lives.last();
  const store = await openStore({ folder: join(dataDir, "columns") });
  try {
    const source = plan.source === "data" ? "data" : "chain";
    const seen = { world: exchange.world, ask: asker(baseUrl, key), store, source } as const;
    const lookedMs = exchange.world.reached();
    if (source === "data") await passCalmly(lookedMs, { exchange, clock, service });
    history.close();
    const places = await readPlaces(exchange.urls.control_url);
    const fills = fillsOf(exchange.world, source, places.ofMatch);
    const waiting = await settleRun({ ...seen, fills: fills.length, clock, service, lookedMs });
    scene.onSettled();
    // Nothing more is awaited: leave the machine to the queries.
    service.follow(clock.expedite(1));
    const random = new Random(plan.seed + 7_000_000);
    const toMs = exchange.world.reached();
    const streams: StreamResult[] = await compareRun({
      ...seen,
      places,
      fills,
      history,
      toMs,
      random,
      books: BOOKS,
      hasKalshiKey: plan.hasKalshiKey,
      nowMs: clock.now(),
    });
    problems.push(...(await findDoubledRows(store)));
    return { streams, waiting };
  } finally {
    await store.close();
  }
}
