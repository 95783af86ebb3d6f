import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serveExchange, type ServedExchange } from "../../packages/exchange/src/serve.ts";
import { openStore } from "../../packages/server/src/store/open-store.ts";
import { asker } from "../verify/ask.ts";
import { BookHistory } from "../verify/book-history.ts";
import { compareRun } from "./compare-run.ts";
import { findDoubledRows } from "./doubled-rows.ts";
import { fillsOf } from "../verify/fills.ts";
import { MachineClock } from "./machine-clock.ts";
import { readPlaces } from "./read-places.ts";
import { Random } from "./random.ts";
import { runEnvironment } from "./run-environment.ts";
import type { RunPlan } from "./run-plan.ts";
import type { RunResult, StreamResult } from "./run-result.ts";
import { ServiceLives } from "./service-lives.ts";
import { settleRun } from "./settle-run.ts";
import { copyTemplate } from "./template-folder.ts";

export type RunOptions = {
  readonly template: string;
  /** Of this run alone: its data, its log. */
  readonly folder: string;
};

/** So many machine seconds go by in a real one. */
const RATE = 10;
const DAY_MS = 86_400_000;
/** The machine's clock begins so long ago, so that no moment of a run lies ahead of the real one. */
const AGO_MS = 6 * 3_600_000;
/** The past is asked for from so long before the world began. */
const BEFORE_MS = 600_000;
const BOOKS = 40;

/** One run from its plan to what came of it. Never throws for what the service does: that is a problem in the result. */
export async function executeRun(plan: RunPlan, options: RunOptions): Promise<RunResult> {
  const began = performance.now();
  const since = (): number => Math.round((performance.now() - began) / 100) / 10;
  const scene = await openScene(plan, options);
  const { exchange, lives } = scene;
  const problems: string[] = [];
  const phases: Record<string, number> = {};
  let outcome: Pick<RunResult, "streams" | "waiting"> = { streams: [], waiting: [] };
  let injected: Record<string, number> = {};
  try {
    const history = await live(plan, scene);
    phases["stood_still"] = since();
    injected = await countFaults(exchange);
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
  const figures = { injected, kills: lives.killed, problems, seconds: since(), phases };
  const result: RunResult = { seed, source, isGood, ...figures, ...outcome };
  writeFileSync(join(options.folder, "result.json"), JSON.stringify({ plan, ...result }, undefined, 2));
  return result;
}

/** A world that stands still, and a service that is not started yet. */
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

/** The world goes on, is gathered, is faulty, and stands still. */
async function live(plan: RunPlan, scene: Scene): Promise<BookHistory> {
  const { clock, exchange, lives } = scene;
  lives.begin();
  // A busy machine starts slowly: the world waits, else it would be over.
  await lives.current?.ready.catch(() => undefined);
  exchange.clock.jumpTo(clock.now());
  exchange.clock.setSpeed(1);
  const history = new BookHistory(exchange.world);
  const endMs = clock.now() + plan.liveSeconds * 1000;
  await clock.sleep(plan.faultsFromSeconds * 1000);
  await setFaults(exchange, plan.faults);
  await clock.sleep(endMs - clock.now());
  exchange.clock.setSpeed(0);
  await sleep(150);
  history.close();
  return history;
}

type Judging = Scene & {
  readonly history: BookHistory;
  readonly problems: string[];
  readonly onSettled: () => void;
};

async function judge(plan: RunPlan, scene: Judging): Promise<Pick<RunResult, "streams" | "waiting">> {
  const { clock, exchange, lives, history, key, problems, dataDir } = scene;
  await clearFaults(exchange);
  const { service, baseUrl } = await lives.last();
  const store = await openStore({ folder: join(dataDir, "columns") });
  try {
    const source = plan.source === "data" ? "data" : "chain";
    const seen = { world: exchange.world, ask: asker(baseUrl, key), store, source } as const;
    const places = await readPlaces(exchange.urls.control_url);
    const fills = fillsOf(exchange.world, source, places.ofMatch);
    const waiting = await settleRun({ ...seen, fills: fills.length, clock, service });
    scene.onSettled();
    // Nothing more is awaited: the machine is left to the questions.
    service.follow(clock.hurry(1));
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

async function setFaults({ urls }: ServedExchange, plan: RunPlan["faults"]): Promise<void> {
  await control(urls.control_url, "POST", plan);
}

async function clearFaults({ urls }: ServedExchange): Promise<void> {
  await control(urls.control_url, "DELETE");
}

async function countFaults({ urls }: ServedExchange): Promise<Record<string, number>> {
  const told = (await control(urls.control_url, "GET")) as { injected: Record<string, Record<string, number>> };
  return Object.fromEntries(
    Object.entries(told.injected).map(([kind, doors]) => [kind, Object.values(doors).reduce((a, b) => a + b, 0)]),
  );
}

async function control(url: string, method: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}/faults`, {
    method,
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} /faults answered ${response.status}: ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}
