import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import type { ReadBytes, ReadRows } from "../../definition/day-derivation.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Bound } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import { eligibleSql } from "./eligible-sql.ts";
import { readSampleBytes } from "./read-samples.ts";
import { restThread, takeThread } from "./score-thread.ts";
import type { Asked } from "./score-worker.ts";

export type ScoreReader = { readonly read: ReadRows; readonly readBytes: ReadBytes; readonly walletsAtOnce: number };

/**
 * The rows of wallet_scores of a day, about so many wallets at a time; they do not hang on how many. A thread of its own
 * works them out: a day is minutes of resampling, in which a service answers and gathers.
 * Throws StoreError, and what ends the thread.
 */
export async function* scoreDay(
  day: Bound,
  { read, readBytes, walletsAtOnce }: ScoreReader,
): AsyncGenerator<readonly InsertRow[]> {
  const eligible = (await read<{ address: string }>(eligibleSql(day))).map(({ address }) => address);
  const slices = slicesOf(eligible, walletsAtOnce);
  if (slices.length === 0) return;
  const worker = takeThread();
  let isDone = false;
  try {
    for (const slice of slices) await ask(worker, { add: await readSampleBytes(day, slice, readBytes) });
    for (const index of slices.keys()) yield (await ask(worker, { rowsOf: index })) as InsertRow[];
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
