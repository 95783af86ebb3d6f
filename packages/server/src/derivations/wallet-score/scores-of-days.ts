import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { amongDays } from "../../definition/filter.ts";
import type { ReadBytes } from "../../definition/day-derivation.ts";
import { dayOfNumber, numberOfDay } from "../../definition/day-of.ts";
import type { Slice } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import { slicesOf } from "../../definition/slices.ts";
import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { walletEntries } from "../../tables/wallet-entries.ts";
import { eligibleSql, WINDOW_DAYS, readSlice } from "./scored-span-sql.ts";
import type { Requested } from "./score-worker.ts";

/** Time an idle thread waits for another day, because loading a thread costs as much as scoring a small day. */
const REST_MS = 5_000;
const resting = new Map<Worker, NodeJS.Timeout>();

/** Returns a thread of `score-worker.ts` without stored data: an idle one, else a new one. */
export function takeThread(): Worker {
  for (const [thread, end] of resting) {
    clearTimeout(end);
    resting.delete(thread);
    thread.ref();
    return thread;
  }
  return new Worker(new URL("./score-worker.ts", import.meta.url));
}

/** Keeps a thread idle after its data is released; it does not keep the process alive. */
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
 * Days are scored together up to 800,000 rows of entries, which make some 200,000 scores, and up to 2.4 million
 * including the window before them, which take some 400 MB; for a single day 5,000 wallets at a time are in memory.
 */
export const entriesByDay = (days: Bound): Sql =>
  sql`SELECT toString(day) AS day, toString(ceil(greatest(1.25 * found, 1e6 * found / greatest(found, 2.4e6 - ${BEFORE} * found)))) AS size FROM (SELECT day, toFloat64(count()) AS found FROM ${walletEntries} WHERE ${amongDays(sql`day`, days)} GROUP BY day)`;

/**
 * The rows of wallet_scores of some days, independent of the number of wallets read at a time. Windows of consecutive
 * days overlap, so their rows are read once for all days. A separate thread computes them, while the service answers
 * and gathers. Throws StoreError, and any error that ends the thread.
 */
export async function* scoresOfDays(
  days: Bound,
  _: Slice,
  readBytes: ReadBytes,
  walletsAtOnce = WALLETS_AT_ONCE,
): AsyncGenerator<PackedRows> {
  const worker = takeThread();
  const ask = (...requested: [Requested, Uint8Array[]?]): Promise<PackedRows[]> => asking(worker, ...requested);
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

/** Splits days (ascending) into runs of consecutive ones. */
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

/** Bytes that own their buffer are transferred, others copied. */
async function asking(worker: Worker, requested: Requested, given: readonly Uint8Array[] = []): Promise<PackedRows[]> {
  const answered = once(worker, "message");
  const owned = given.filter(({ buffer, byteLength }) => buffer.byteLength === byteLength && byteLength > 0);
  worker.postMessage(
    requested,
    owned.map(({ buffer }) => buffer as ArrayBuffer),
  );
  const [answer] = (await answered) as [readonly PackedRows[]];
  // A thread returns a Buffer as a plain Uint8Array.
  return answer.map(({ kind, bytes, starts }) => ({
    kind,
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
    starts,
  }));
}
