import { parentPort } from "node:worker_threads";
import { createDayScorer } from "./day-scorer.ts";
import { packSlice, type PackedSlice } from "./pack-slice.ts";
import type { SliceBytes } from "./span-sql.ts";

/** What the thread is asked, one thing at a time; it answers each. "forget" ends a day. */
export type Asked =
  | { readonly pack: SliceBytes; readonly wallets: readonly string[] }
  | { readonly add: PackedSlice; readonly day: number }
  | { readonly rowsOf: number }
  | "forget";

let scorer = createDayScorer();
parentPort?.on("message", (asked: Asked) => parentPort?.postMessage(answerTo(asked), []));

function answerTo(asked: Asked): unknown {
  if (asked === "forget") scorer = createDayScorer();
  else if ("pack" in asked) return packSlice(asked.wallets, asked.pack);
  else return "add" in asked ? scorer.add(asked.add, asked.day) : scorer.rowsOf(asked.rowsOf);
  return undefined;
}
