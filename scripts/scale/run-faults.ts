import { BookHistory } from "../verify/book-history.ts";
import { addedBy } from "./added-by.ts";
import { openDoor } from "./ask-once.ts";
import type { Fault } from "./fault.ts";
import type { FaultResult } from "./fault-result.ts";
import { findProblems } from "./find-problems.ts";
import { judgeRows, type Judged } from "./judge-rows.ts";
import { Load } from "./load.ts";
import { loadQuestions } from "./load-questions.ts";
import { runFault, type Stage } from "./run-fault.ts";
import { settleWorld } from "./settle-world.ts";
import { findObstacle } from "./strike.ts";
import { openTopology, type Topology } from "./topology.ts";
import type { TopologyOptions } from "./topology-options.ts";

export type ScaleRun = {
  readonly topology: TopologyOptions;
  readonly faults: readonly Fault[];
  readonly clients: number;
  readonly thinkMs: number;
  readonly seconds: Stage["seconds"] & { readonly settle: number };
  readonly say: (text: string) => void;
  /** After each fault: everything so far. */
  readonly onResult?: (sofar: ScaleResult) => void;
  /** Aborting it ends every process and fails the run. */
  readonly signal: AbortSignal;
};

export type ScaleResult = {
  readonly results: readonly FaultResult[];
  /** Fault → why it was left out. */
  readonly leftOut: Readonly<Record<string, string>>;
};

/** Does one fault after another to a topology under load, and judges each by the world's own truth. */
export async function runFaults(run: ScaleRun): Promise<ScaleResult> {
  run.say("starting the topology");
  const topology = await openTopology(run.topology);
  run.signal.addEventListener("abort", () => void topology.close(), { once: true });
  const doors = topology.services.map(({ name, baseUrl }) => openDoor(name, baseUrl));
  const store = await topology.columns.open();
  const load = new Load({
    doors: doors.filter(({ name }) => name.startsWith("api-")),
    key: topology.keys.wide,
    clients: run.clients,
    thinkMs: run.thinkMs,
    question: loadQuestions(topology.exchange.world),
  });
  try {
    return await runAll(run, { topology, doors, load, store, seconds: run.seconds });
  } finally {
    await load.stop();
    await store.close();
    for (const door of doors) await door.close();
    await topology.close();
  }
}

async function runAll(run: ScaleRun, stage: Stage): Promise<ScaleResult> {
  const { topology } = stage;
  run.say("gathering the past");
  const waiting = await settleWorld(topology, stage.store, run.seconds.settle * 1000);
  if (waiting.length > 0) throw new Error(`the topology did not settle before any fault: ${waiting.join(", ")}`);
  const sofar = { results: [] as FaultResult[], leftOut: {} as Record<string, string> };
  let before = await judge(stage, new BookHistory(topology.exchange.world), false);
  const does = run.faults.filter((fault) => {
    const obstacle = findObstacle(topology, fault);
    if (obstacle !== undefined) sofar.leftOut[fault.name] = obstacle;
    return obstacle === undefined;
  });
  for (const fault of does) {
    const { judged, result } = await doFault(run, stage, { fault, before, isLast: fault === does.at(-1) });
    before = judged;
    sofar.results.push(result);
    run.say(lineOf(result));
    run.onResult?.(sofar);
    run.signal.throwIfAborted();
  }
  return sofar;
}

type Doing = { readonly fault: Fault; readonly before: Judged; readonly isLast: boolean };

/** Candles are compared after the last one alone: by then they hold what every fault did to them. */
async function doFault(
  { say, seconds }: ScaleRun,
  stage: Stage,
  { fault, before, isLast }: Doing,
): Promise<{ readonly judged: Judged; readonly result: FaultResult }> {
  const { topology, store } = stage;
  const { name, about } = fault;
  say(`${name}: ${about}, ${fault.seconds} s`);
  const history = new BookHistory(topology.exchange.world);
  goOn(topology);
  const struck = await runFault(stage, fault);
  standStill(topology);
  say("  the world stands still; settling");
  const waiting = await settleWorld(topology, store, seconds.settle * 1000);
  say("  comparing");
  const judged = await judge(stage, history, isLast);
  const result = {
    name,
    about,
    seconds: fault.seconds,
    ...struck,
    ...addedBy(before, judged),
    streams: judged.streams,
    waiting,
  };
  return { judged, result: { ...result, problems: findProblems(result, fault.holds) } };
}

function judge({ topology, store }: Stage, history: BookHistory, hasCandles: boolean): Promise<Judged> {
  history.close();
  return judgeRows(topology, store, history, hasCandles);
}

function goOn({ exchange }: Topology): void {
  exchange.clock.jumpTo(Date.now());
  exchange.clock.setSpeed(1);
}

function standStill({ exchange }: Topology): void {
  exchange.clock.setSpeed(0);
}

function lineOf(result: FaultResult): string {
  const { lost, doubled, recoverySeconds, problems } = result;
  const figures = `lost ${lost}, doubled ${doubled}, recovered after ${recoverySeconds ?? "never"} s`;
  return `  ${figures}${problems.map((problem) => `\n  ! ${problem}`).join("")}`;
}
