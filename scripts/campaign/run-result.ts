import type { Tally } from "../verify/tally.ts";
import type { RunPlan } from "./run-plan.ts";

/** Agreement of one stream of a run with the ground truth. */
export type StreamResult = Pick<Tally, "stream" | "truth" | "stored" | "lost" | "doubled" | "wrong" | "examples"> & {
  /** Lost or wrong rows that coverage admits. */
  readonly admitted: number;
  /** Lost or wrong rows that coverage does not admit; doubled rows and rows absent from the truth count too. */
  readonly undeclared: number;
  /** Seconds in admitted gaps that miss no row. */
  readonly overAdmittedSeconds: number;
};

export type RunResult = {
  readonly seed: number;
  readonly isGood: boolean;
  readonly source: string;
  /** Kind of fault → number of injections, by the exchanges' own count. */
  readonly injected: Readonly<Record<string, number>>;
  /** Kind of fault → how many were planned, and how many of them struck at least once. */
  readonly strikes: Readonly<Record<string, { readonly planned: number; readonly struck: number }>>;
  /** Kind of kill → count. */
  readonly kills: Readonly<Record<string, number>>;
  readonly streams: readonly StreamResult[];
  /** Problems other than row differences, a sentence each. */
  readonly problems: readonly string[];
  readonly seconds: number;
  /** Seconds until the world was paused, until all was settled, until all was compared. */
  readonly phases?: Readonly<Record<string, number>>;
  /** Why the service was not fully caught up when the time to settle was over; empty when it was. */
  readonly waiting: readonly string[];
};

const MAX_SHOWN = 2;
const MAX_LETTERS = 100;

/** Summary of a run in one line. */
export function runLine(result: RunResult): string {
  const sum = (figure: "truth" | "lost" | "doubled" | "wrong" | "undeclared" | "admitted"): number =>
    result.streams.reduce((total, stream) => total + stream[figure], 0);
  const faults = Object.entries(result.injected).map(([kind, times]) => `${kind} ${times}`);
  const idle = Object.entries(result.strikes).filter(([, { planned, struck }]) => struck < planned);
  const kills = Object.entries(result.kills).map(([kind, times]) => `${kind} ${times}`);
  return [
    `${result.isGood ? "ok  " : "FAIL"} seed ${String(result.seed).padEnd(4)}`,
    result.source.padEnd(15),
    `${result.seconds.toFixed(0).padStart(3)} s`,
    `${sum("truth")} rows, ${sum("lost")} lost, ${sum("wrong")} wrong (${sum("admitted")} admitted), ${sum("doubled")} doubled, ${sum("undeclared")} undeclared`,
    `faults: ${faults.join(", ") || "none"}`,
    `kills: ${kills.join(", ") || "none"}`,
    ...(idle.length > 0 ? [`did not strike: ${idle.map(([kind]) => kind).join(", ")}`] : []),
    ...(result.waiting.length > 0 ? [`still waiting: ${shortly(result.waiting)}`] : []),
  ].join("  ");
}

/** The first few sentences, each shortened if long. */
function shortly(sentences: readonly string[]): string {
  const shown = sentences.slice(0, MAX_SHOWN).map((text) => {
    const [line = ""] = text.split("\n");
    return line.length > MAX_LETTERS ? `${line.slice(0, MAX_LETTERS)}…` : line;
  });
  const more = sentences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join("; ");
}

/** Explanation of a failed run. */
export function failureLines(result: RunResult): string[] {
  return [
    ...result.problems.map((problem) => `  ${problem}`),
    ...result.streams.flatMap(({ stream, examples }) => examples.map((example) => `  ${stream}: ${example}`)),
  ];
}

/** Result for a run that returned none. */
export function brokenRun(plan: RunPlan, problem: string, seconds: number): RunResult {
  const { seed, source } = plan;
  const nothing = { injected: {}, strikes: {}, kills: {}, streams: [], waiting: [] };
  return { seed, source, isGood: false, problems: [problem], seconds, ...nothing };
}
