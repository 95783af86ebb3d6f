import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { amongDays } from "../../definition/among-days.ts";
import type { ReadBytes } from "../../definition/day-derivation.ts";
import { dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import type { Slice } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { slicesOf } from "../../definition/slices.ts";
import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { eligibleSql, WINDOW_DAYS } from "./eligible-sql.ts";
import type { Asked } from "./score-worker.ts";
import { readSlice } from "./span-sql.ts";

/** To load a thread costs as much as to score a small day, so one rests so long for the next day before it ends. */
const REST_MS = 5_000;
const resting = new Map<Worker, NodeJS.Timeout>();

/** A thread of `score-worker.ts` that knows of no day: one that rests, else a new one. */
export function takeThread(): Worker {
  for (const [thread, end] of resting) {
    clearTimeout(end);
    resting.delete(thread);
    thread.ref();
    return thread;
  }
  return new Worker(new URL("./score-worker.ts", import.meta.url));
}

/** Lets a thread that forgot its day rest; it keeps no process from ending. */
export function restThread(thread: Worker): void {
  const end = setTimeout(() => {
    resting.delete(thread);
    void thread.terminate();
  }, REST_MS);
  resting.set(thread, end.unref());
  thread.unref();
}

const WALLETS_AT_ONCE = 5000;
/** Days of a window before its last. */
const BEFORE = bind("UInt16", WINDOW_DAYS - 1);

/**
 * Days are scored together up to 800,000 rows of entries, of which some 200,000 scores are made, and no more than 2.4
 * million with the window before them, which take some 400 MB; of a day by itself 5,000 wallets at a time are held.
 */
export const entriesByDay = (days: Bound): Sql =>
  sql`SELECT toString(day) AS day, toString(ceil(greatest(1.25 * found, 1e6 * found / greatest(found, 2.4e6 - ${BEFORE} * found)))) AS size FROM (SELECT day, toFloat64(count()) AS found FROM ${walletEntries} WHERE ${amongDays(sql`day`, days)} GROUP BY day)`;

/**
 * The rows of wallet_scores of some days, which do not hang on how many wallets are read at a time. Windows of days
 * behind each other overlap, so what these hang on is read once for all of them. A thread of its own works them out, while
 * a service answers and gathers. Throws StoreError, and what ends the thread.
 */
export async function* scoresOfDays(
  days: Bound,
  _: Slice,
  readBytes: ReadBytes,
  walletsAtOnce = WALLETS_AT_ONCE,
): AsyncGenerator<PackedRows> {
  const worker = takeThread();
  const ask = (...asked: [Asked, Uint8Array[]?]): Promise<PackedRows[]> => asking(worker, ...asked);
  let isDone = false;
  try {
    for (const run of runsOf((days.value as readonly string[]).map(numberOfDay))) {
      const [first = 0, last = first] = [run[0], run.at(-1)];
      const span = { first: dayOfNumber(first), last: dayOfNumber(last) };
      const all = linesOf(await readBytes(eligibleSql(span), "TabSeparated"));
      for (const wallets of slicesOf(all, walletsAtOnce)) {
        const pack = await readSlice(span, wallets, readBytes);
        await ask({ pack, wallets }, Object.values(pack));
        if (first === last) await ask({ add: first, isLast: true });
      }
      for (const day of run) {
        if (first !== last) await ask({ add: day, isLast: day === last });
        yield* await ask({ rowsOf: day });
      }
    }
    yield* await ask("end");
    isDone = true;
  } finally {
    if (isDone) restThread(worker);
    else await worker.terminate();
  }
}

/** Days (ascending) in runs of such that follow each other. */
function runsOf(days: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const day of days) {
    const run = runs.at(-1);
    if (run?.at(-1) === day - 1) run.push(day);
    else runs.push([day]);
  }
  return runs;
}

const linesOf = (bytes: Uint8Array): string[] => Buffer.from(bytes).toString("latin1").split("\n").slice(0, -1);

/** Bytes that have a memory of their own are given away, others copied. */
async function asking(worker: Worker, asked: Asked, given: readonly Uint8Array[] = []): Promise<PackedRows[]> {
  const answered = once(worker, "message");
  const owned = given.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength && byteLength > 0);
  worker.postMessage(
    asked,
    owned.map(({ buffer }) => buffer as ArrayBuffer),
  );
  const [answer] = (await answered) as [readonly PackedRows[]];
  // A buffer comes out of a thread as plain bytes.
  return answer.map(({ kind, bytes, starts }) => ({
    kind,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    starts,
  }));
}
