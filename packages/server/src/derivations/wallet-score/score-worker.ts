import { parentPort } from "node:worker_threads";
import { createDayScorer } from "./day-scorer.ts";
import type { SampleBytes } from "./read-samples.ts";

/** What the thread is asked, one thing at a time; it answers each. */
export type Asked = { readonly add: SampleBytes } | { readonly rowsOf: number };

const scorer = createDayScorer();
parentPort?.on("message", (asked: Asked) => {
  const answer = "add" in asked ? scorer.add(asked.add) : scorer.rowsOf(asked.rowsOf);
  parentPort?.postMessage(answer, []);
});
