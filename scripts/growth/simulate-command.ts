import { figure } from "./print-plan.ts";
import { simulate } from "./simulate.ts";

export type SimulateOptions = {
  readonly cores: readonly number[];
  readonly questionCpuMs: number;
  /** Of storing a second's rows, and as much again of merging. */
  readonly insertCpuMs: number;
  readonly seconds: number;
};

const SHARES = [0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** How latency grows with the questions a second, with inserts and merges beside, as Markdown. */
export function simulateCommand({ cores, questionCpuMs, insertCpuMs, seconds }: SimulateOptions): string {
  const lines = cores.flatMap((many) =>
    SHARES.map((share) => {
      // What inserts and merges leave.
      const free = many - (2 * insertCpuMs) / 1_000;
      const questionsASecond = (share * free * 1_000) / questionCpuMs;
      const mergeCpuMs = insertCpuMs * 10;
      const run = {
        cores: many,
        seconds,
        questionsASecond,
        questionCpuMs,
        insertCpuMs,
        mergeCpuMs,
        mergers: 4,
        seed: 7,
      };
      const { used, p50_ms, p99_ms, insert_lag_s } = simulate(run);
      const cells = [many, Math.round(questionsASecond), `${Math.round(used * 100)} %`, p50_ms, p99_ms, insert_lag_s];
      return `| ${cells.map((cell) => (typeof cell === "number" ? figure(cell) : cell)).join(" | ")} |`;
    }),
  );
  return [
    "| cores | questions/s | used | p50 ms | p99 ms | last insert took s |",
    "| ---: | ---: | ---: | ---: | ---: | ---: |",
    ...lines,
    "",
  ].join("\n");
}
