import type { FaultResult, Stretch } from "./fault-result.ts";
import type { ScaleResult } from "./run-faults.ts";

const HEAD = [
  "fault",
  "asked",
  "first tries failed",
  "failed after retry",
  "said incomplete",
  "p50/p99 ms before",
  "during",
  "after",
  "recovered s",
  "lost",
  "doubled",
  "wrong (said)",
  "silent holes",
  "holds",
];

/** The results as a Markdown table, with what was left out and what does not hold under it. */
export function printResults({ results, leftOut }: ScaleResult): string {
  const lines = [HEAD, HEAD.map(() => "---"), ...results.map(rowOf)].map((cells) => `| ${cells.join(" | ")} |`);
  const problems = results.flatMap(({ name, problems: found }) => found.map((text) => `- ${name}: ${text}`));
  const left = Object.entries(leftOut).map(([name, why]) => `- ${name} was left out: ${why}`);
  return [...lines, "", ...problems, ...left].join("\n").trimEnd();
}

function rowOf(result: FaultResult): string[] {
  const { during, before, after, recoverySeconds, holes } = result;
  return [
    `${result.name} (${result.seconds} s)`,
    String(during.asked),
    countsOf(during.firstFailed),
    countsOf(during.failed),
    String(during.saidIncomplete),
    timesOf(before),
    timesOf(during),
    timesOf(after),
    recoverySeconds === null ? "not in time" : recoverySeconds.toFixed(1),
    String(result.lost),
    String(result.doubled),
    `${result.wrong} (${result.admitted})`,
    `${holes.silent.length} of ${holes.asked}`,
    result.problems.length === 0 ? "yes" : "no",
  ];
}

const timesOf = ({ asked, p50Ms, p99Ms }: Stretch): string =>
  asked === 0 ? "none" : `${Math.round(p50Ms)}/${Math.round(p99Ms)}`;

function countsOf(counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts);
  const sum = all.reduce((total, [, count]) => total + count, 0);
  return sum === 0 ? "0" : `${sum} (${all.map(([reason, count]) => `${reason} ${count}`).join(", ")})`;
}
