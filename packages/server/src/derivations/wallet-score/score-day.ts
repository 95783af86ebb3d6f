import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { numberOfDay } from "../../definition/day-of.ts";
import type { InsertRow } from "../../definition/table.ts";
import type { PackedSlice } from "./pack-slice.ts";
import type { ScoreReader, ScoreSpans } from "./score-spans.ts";
import { restThread, takeThread } from "./score-thread.ts";
import type { Asked } from "./score-worker.ts";

/**
 * The rows of wallet_scores of a day (YYYY-MM-DD) of a run, about so many wallets at a time; they do not hang on how
 * many. A thread of its own works them out, while a service answers and gathers.
 * Throws StoreError, and what ends the thread.
 */
export async function* scoreDay(
  day: string,
  spans: ScoreSpans,
  reader: ScoreReader,
): AsyncGenerator<readonly InsertRow[]> {
  const worker = takeThread();
  let isDone = false;
  try {
    let slices = 0;
    const packing = async (pack: Asked): Promise<PackedSlice> => (await ask(worker, pack)) as PackedSlice;
    for await (const add of spans.slicesOf(day, reader, (wallets, pack) => packing({ pack, wallets }))) {
      await ask(worker, { add, day: numberOfDay(day) });
      slices += 1;
    }
    for (let rowsOf = 0; rowsOf < slices; rowsOf += 1) yield (await ask(worker, { rowsOf })) as InsertRow[];
    await ask(worker, "forget");
    isDone = true;
  } finally {
    if (isDone) restThread(worker);
    else await worker.terminate();
  }
}

async function ask(worker: Worker, asked: Asked): Promise<unknown> {
  const answered = once(worker, "message");
  worker.postMessage(asked, []);
  const [answer] = (await answered) as [unknown];
  return answer;
}
