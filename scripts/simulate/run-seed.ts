import { inspect } from "node:util";
import type { Logger } from "pino";
import { BookHistory } from "../verify/book-history.ts";
import { FaultWatch, type FaultCounts } from "../campaign/fault-watch.ts";
import type { RunResult } from "../campaign/run-result.ts";
import type { SimPlan } from "./draw-simulation.ts";
import { judgeSimulation } from "./judge-simulation.ts";
import type { SimGround } from "./sim-ground.ts";
import { openScene, type SimScene } from "./sim-scene.ts";

/** A seed's result in the campaign's form, plus the trace by which an equal run is recognised. */
export type SimResult = RunResult & {
  readonly trace: string;
  readonly requests: number;
  /** Number of serving index files found damaged. */
  readonly damaged: number;
};

/** Time for the first process to ingest existing data and follow the books, before the world runs on. */
const FOLLOW_MS = 8_000;
const LOOK_MS = 1000;
/** Extra time that the world runs for faults that did not strike yet. */
const WAIT_FOR_FAULTS_MS = 30_000;

/** Executes a run and returns its result. Never throws for a failing service: that is a problem in the result. */
export async function runSeed(plan: SimPlan, ground: SimGround, log: Logger): Promise<SimResult> {
  const began = performance.now();
  const { seed, source } = plan;
  const since = (): number => Math.round(performance.now() - began) / 1000;
  const phases: Record<string, number> = {};
  const problems: string[] = [];
  let faults: FaultCounts = { injected: {}, strikes: {} };
  let outcome: Pick<RunResult, "streams" | "waiting"> = { streams: [], waiting: [] };
  const scene = await openScene(plan, ground, log);
  const { lives, network, powerCuts } = scene;
  try {
    const { history, counts } = await liveThrough(plan, scene);
    faults = counts;
    const life = await lives.last(source === "data_then_chain");
    phases["stood_still"] = since();
    const onSettled = (): void => void (phases["settled"] = since());
    outcome = await judgeSimulation(plan, { ...scene, life, history, problems, onSettled });
  } catch (error) {
    problems.push(inspect(error));
  } finally {
    await scene.close();
  }
  const power = powerCuts.counts();
  const torn = Object.values(power.injected).reduce((sum, files) => sum + files, 0);
  // A service that never settles would report complete answers as incomplete forever.
  for (const missing of outcome.waiting) problems.push(`still waiting at the end: ${missing}`);
  if (lives.damaged > 0 && torn === 0) problems.push(`${lives.damaged} files were found damaged that nothing had torn`);
  const isGood = problems.length === 0 && outcome.streams.every(({ undeclared }) => undeclared === 0);
  const traced = { damaged: lives.damaged, trace: network.digest(), requests: network.requests };
  const injected = { ...faults.injected, ...power.injected };
  const strikes = { ...faults.strikes, ...power.strikes };
  const figures = { injected, strikes, kills: lives.killed, problems, seconds: since(), phases };
  return { seed, source, isGood, ...figures, ...outcome, ...traced };
}

/** Runs the world under faults while one service process after another ingests it. */
async function liveThrough(
  plan: SimPlan,
  { clock, exchange, lives, mood }: SimScene,
): Promise<{ readonly history: BookHistory; readonly counts: FaultCounts }> {
  const watch = new FaultWatch(exchange, plan.faults, clock.now);
  await lives.begin();
  await clock.runTo(clock.now() + FOLLOW_MS);
  exchange.clock.jumpTo(clock.now());
  exchange.clock.setSpeed(1);
  const history = new BookHistory(exchange.world);
  watch.begin();
  mood.begin();
  const endMs = clock.now() + plan.liveSeconds * 1000;
  for (let haveStruck = false; clock.now() < endMs + (haveStruck ? 0 : WAIT_FOR_FAULTS_MS);) {
    await clock.runTo(clock.now() + LOOK_MS);
    haveStruck = watch.look();
    await lives.look();
  }
  const counts = watch.counts();
  mood.end();
  exchange.faults.clear();
  return { history, counts };
}
