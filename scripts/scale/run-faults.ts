import { BookHistory } from "../verify/book-history.ts";
import type { StreamResult } from "../campaign/run-result.ts";
import { openDoor } from "./ask-once.ts";
import type { Fault } from "./fault.ts";
import type { FaultResult } from "./fault-result.ts";
import { findProblems } from "./find-problems.ts";
import { judgeRows } from "./judge-rows.ts";
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
  const { topology, store } = stage;
  const { say } = run;
  const settle = (): Promise<readonly string[]> => settleWorld(topology, store, run.seconds.settle * 1000);
  say("gathering the past");
  const waiting = await settle();
  if (waiting.length > 0) throw new Error(`the topology did not settle before any fault: ${waiting.join(", ")}`);
  const history = new BookHistory(topology.exchange.world);
  const results: FaultResult[] = [];
  const leftOut: Record<string, string> = {};
  let before = await judgeRows(topology, store, history);
  try {
    for (const fault of run.faults) {
      const obstacle = findObstacle(topology, fault);
      if (obstacle !== undefined) {
        leftOut[fault.name] = obstacle;
        say(`${fault.name}: left out, ${obstacle}`);
        continue;
      }
      say(`${fault.name}: ${fault.about}, ${fault.seconds} s`);
      goOn(topology);
      const struck = await runFault(stage, fault);
      standStill(topology);
      say("  the world stands still; settling");
      const stillWaiting = await settle();
      say("  comparing");
      const now = await judgeRows(topology, store, history);
      const rows = addedBy(before, now);
      before = now;
      const { name, about, seconds } = fault;
      const result = { name, about, seconds, ...struck, ...rows, waiting: stillWaiting };
      results.push({ ...result, problems: findProblems(result, fault.holds) });
      say(lineOf(results.at(-1)));
      run.onResult?.({ results, leftOut });
      run.signal.throwIfAborted();
    }
  } finally {
    history.close();
  }
  return { results, leftOut };
}

function goOn({ exchange }: Topology): void {
  exchange.clock.jumpTo(Date.now());
  exchange.clock.setSpeed(1);
}

function standStill({ exchange }: Topology): void {
  exchange.clock.setSpeed(0);
}

type Judged = Awaited<ReturnType<typeof judgeRows>>;
type Counted = "lost" | "doubled" | "wrong" | "admitted" | "undeclared";

/** The truth is of the whole world so far: what was wrong before a fault is not that fault's. */
function addedBy(before: Judged, now: Judged): Pick<FaultResult, Counted | "streams"> {
  const sum = ({ streams }: Judged, of: (stream: StreamResult) => number): number =>
    streams.reduce((total, stream) => total + of(stream), 0);
  const added = (of: (stream: StreamResult) => number): number => Math.max(0, sum(now, of) - sum(before, of));
  const twice = Math.max(0, now.doubled.length - before.doubled.length);
  return {
    lost: added(({ lost }) => lost),
    doubled: added(({ doubled }) => doubled) + twice,
    wrong: added(({ wrong }) => wrong),
    admitted: added(({ admitted }) => admitted),
    undeclared: added(({ undeclared }) => undeclared),
    streams: now.streams,
  };
}

function lineOf(result: FaultResult | undefined): string {
  if (result === undefined) return "";
  const { lost, doubled, recoverySeconds, problems } = result;
  const figures = `lost ${lost}, doubled ${doubled}, recovered after ${recoverySeconds ?? "never"} s`;
  return `  ${figures}${problems.map((problem) => `\n  ! ${problem}`).join("")}`;
}
