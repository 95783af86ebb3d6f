import { Worker } from "node:worker_threads";
import { createBirpc, type BirpcReturn } from "birpc";
import type { DaysDerivation, ReadBytes, ReadRows } from "../../definition/day-derivation.ts";
import type { RowsDerivation } from "../../definition/derivation.ts";
import type { PackedRows } from "../../definition/packed-rows.ts";
import type { InsertRow } from "../../definition/table.ts";
import { postMoving } from "../../serving/feed/thread/post-moving.ts";
import type { Asked, MainCalls, ThreadCalls } from "./thread-calls.ts";

type Reader = { readonly read: ReadRows; readonly readBytes: ReadBytes };
/** What a run reads by, and why its last reading failed: a message carries no class of an error. */
type Run = Reader & { failure?: unknown };
type Thread = { readonly worker: Worker; readonly calls: BirpcReturn<ThreadCalls, MainCalls>; runs: number };
type Rows = readonly InsertRow[] | PackedRows;

/** Derivations whose rows are made in threads. They throw what their readings throw, or that their thread ended. */
export type DerivationThreads = {
  readonly days: (derivation: DaysDerivation) => DaysDerivation;
  readonly buckets: (derivation: RowsDerivation) => RowsDerivation;
  readonly end: () => Promise<void>;
};

/**
 * So many threads that make rows, each begun when it is needed, so that several tables are worked out on several
 * processors and a service answers meanwhile. They read the store through this one.
 */
export function openDerivationThreads(most: number): DerivationThreads {
  const runs = new Map<number, Run>();
  const threads = new Set<Thread>();
  let last = 0;
  const answers = answersOf(runs);
  /** One that makes nothing, else a new one, else the one that makes least. */
  const choose = (): Thread => {
    const [least] = [...threads].toSorted((one, other) => one.runs - other.runs);
    return least !== undefined && (least.runs === 0 || threads.size >= most) ? least : startThread(threads, answers);
  };
  const rows = async function* (asked: Asked, by: Reader): AsyncGenerator<Rows> {
    const [thread, id, run] = [choose(), ++last, { ...by } as Run];
    const { calls } = thread;
    runs.set(id, run);
    thread.runs += 1;
    try {
      await calls.begin(id, asked);
      for (let made = await calls.next(id); made !== undefined; made = await calls.next(id))
        yield "plain" in made
          ? made.plain
          : { kind: "packed", bytes: Buffer.from(made.bytes.buffer), starts: made.starts };
    } catch (error) {
      throw run.failure ?? error;
    } finally {
      thread.runs -= 1;
      runs.delete(id);
      // A thread that ended has nothing to stop.
      await calls.stop(id).catch(() => undefined);
    }
  };
  return {
    days: (derivation) => ({
      ...derivation,
      rowsOfSlice: (days, slice, readBytes) =>
        rows(
          { kind: "days", name: derivation.name, days, slice },
          { read: readsBytes, readBytes },
        ) as AsyncIterable<PackedRows>,
    }),
    buckets: (derivation) => ({
      ...derivation,
      rows: (rebuild, { read, readBytes }) =>
        rows({ kind: "buckets", name: derivation.name, rebuild }, { read, readBytes }),
    }),
    end: async () => void (await Promise.all([...threads].map(({ worker }) => worker.terminate()))),
  };
}

const readsBytes: ReadRows = () => Promise.reject(new TypeError("days are made of bytes"));

/** Reads by what each run reads by, and keeps why that failed. */
function answersOf(runs: ReadonlyMap<number, Run>): MainCalls {
  const reading = async <Read>(id: number, read: (by: Reader) => Promise<Read>): Promise<Read> => {
    const run = runs.get(id);
    if (run === undefined) throw new Error("nobody asks for these rows any more");
    try {
      return await read(run);
    } catch (error) {
      run.failure = error;
      throw error;
    }
  };
  return {
    // A copy of its own: what the engine sent may lie in memory that others use.
    read: (id, statement, format) =>
      reading(id, async ({ readBytes }) => new Uint8Array(await readBytes(statement, format))),
    rows: (id, statement) => reading(id, ({ read }) => read(statement)),
  };
}

/** Begins a thread, which is among the others until it ends. */
function startThread(threads: Set<Thread>, answers: MainCalls): Thread {
  const worker = new Worker(new URL("./derivation-worker.ts", import.meta.url));
  const calls = createBirpc<ThreadCalls, MainCalls>(answers, {
    post: (message: unknown) => postMoving(worker, message),
    on: (listener) => worker.on("message", listener),
    timeout: -1,
  });
  const thread = { worker, calls, runs: 0 };
  const ended = (cause: unknown): void => {
    threads.delete(thread);
    calls.$close(new Error("the thread that makes rows of derivations ended", { cause }));
  };
  worker.once("error", ended);
  worker.once("exit", ended);
  threads.add(thread);
  return thread;
}
