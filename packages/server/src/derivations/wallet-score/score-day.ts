import { once } from "node:events";
import { Worker, parentPort, workerData } from "node:worker_threads";
import type { ReadBytes, ReadRows } from "../../definition/day-derivation.ts";
import { slicesOf } from "../../definition/slices.ts";
import type { Bound } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import { eligibleSql } from "./eligible-sql.ts";
import { readSampleBytes, type SampleBytes, toSamples } from "./read-samples.ts";
import { createPoolGatherer, rankedIn, type Pools } from "./gather-pools.ts";
import { packSamples, type PackedSamples } from "./packed-samples.ts";
import { toScoreRow } from "./to-score-row.ts";

/** What the thread is asked, one thing at a time; it answers each. */
type Asked = { readonly add: SampleBytes } | { readonly rowsOf: number };

const scorer = createDayScorer(String(workerData));
parentPort?.on("message", (asked: Asked) => {
  const answer = "add" in asked ? scorer.add(asked.add) : scorer.rowsOf(asked.rowsOf);
  parentPort?.postMessage(answer, []);
});

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
  const worker = new Worker(new URL("./score-worker.ts", import.meta.url), { workerData: String(day.value) });
  try {
    for (const slice of slices) await ask(worker, { add: await readSampleBytes(day, slice, readBytes) });
    for (const index of slices.keys()) yield (await ask(worker, { rowsOf: index })) as InsertRow[];
  } finally {
    await worker.terminate();
  }
}

async function ask(worker: Worker, asked: Asked): Promise<unknown> {
  const answered = once(worker, "message");
  worker.postMessage(asked, []);
  const [answer] = (await answered) as [unknown];
  return answer;
}

type DayScorer = {
  /** Takes a slice of the day's wallets. */
  readonly add: (slice: SampleBytes) => void;
  /** Rows of the slice of that number, from 0; no slice is taken any more. */
  readonly rowsOf: (slice: number) => InsertRow[];
};

/** The scores of a day (YYYY-MM-DD): they are known only after all slices, since each wallet is ranked among all. */
function createDayScorer(day: string): DayScorer {
  const gatherer = createPoolGatherer();
  const slices: PackedSamples[] = [];
  let pools: Pools | undefined;
  return {
    add: (slice) => {
      const samples = toSamples(slice);
      for (const sample of samples) gatherer.add(sample);
      slices.push(packSamples(samples));
    },
    rowsOf: (slice) => {
      const known = (pools ??= gatherer.close());
      return [...(slices[slice] ?? [])].flatMap((sample) =>
        rankedIn(sample).map((ranked) => toScoreRow(sample, ranked, known, day)),
      );
    },
  };
}
