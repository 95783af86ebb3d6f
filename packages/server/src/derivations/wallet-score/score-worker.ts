import { parentPort } from "node:worker_threads";
import { createDayScorer } from "./day-scorer.ts";
import type { SampleBytes } from "./read-samples.ts";

/** What the thread is asked, one thing at a time; it answers each. "forget" ends a day. */
export type Asked = { readonly add: SampleBytes } | { readonly rowsOf: number } | "forget";

let scorer = createDayScorer();
parentPort?.on("message", (asked: Asked) => parentPort?.postMessage(answerTo(asked), []));

function answerTo(asked: Asked): unknown {
  if (asked === "forget") scorer = createDayScorer();
  else return "add" in asked ? scorer.add(asked.add) : scorer.rowsOf(asked.rowsOf);
  return undefined;
}
