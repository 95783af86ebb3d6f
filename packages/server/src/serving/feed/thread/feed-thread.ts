import { Worker } from "node:worker_threads";
import { createBirpc, type BirpcReturn } from "birpc";
import type { LeftSpan } from "../../../definition/left-span.ts";
import { DamagedError } from "../../../ordered/damaged.ts";
import type { Store } from "../../../store/store.ts";
import type { Comparing } from "../follow-index.ts";
import { readParts } from "../stored-parts.ts";
import type { FedIndex, MainCalls, Outcome, Progress, ThreadCalls } from "./feed-calls.ts";
import { postMoving } from "./post-moving.ts";

type BuildSteps = {
  readonly onProgress: (progress: Progress) => void;
  readonly onReady: () => Promise<void>;
  /** Whether nothing was written to the table since the build began, nor can be by others. */
  readonly isSettled: () => boolean;
};

/** An index as it is written by the thread. */
export type FedWriter = {
  readonly apply: (left: readonly LeftSpan[], comparing: Comparing) => Promise<{ readonly isNew: boolean }>;
  /** `isSettled` says whether nothing was written to the table but what was applied. */
  readonly note: (isSettled: () => boolean) => Promise<void>;
  readonly build: (mostBytes: number, steps: BuildSteps) => Promise<void>;
  /** Ends what is under way, and closes the file. */
  readonly close: () => Promise<void>;
};

export type FeedThread = {
  readonly writer: (index: FedIndex, store: Pick<Store, "read" | "rows">) => FedWriter;
  readonly end: () => Promise<void>;
};

type Thread = { readonly worker: Worker; readonly calls: BirpcReturn<ThreadCalls, MainCalls> };
type Served = {
  readonly table: string;
  readonly store: Pick<Store, "read" | "rows">;
  steps?: BuildSteps;
  isSettled?: () => boolean;
};

/**
 * The thread that writes serving indexes, so that no request waits for a transaction of rows. It reads the store through
 * this one. Where it ended by itself what was under way fails, and the next call starts it anew.
 */
export function openFeedThread(): FeedThread {
  const indexes = new Map<string, Served>();
  const answers = answersOf(indexes);
  let thread: Thread | undefined;
  const start = (): Thread => {
    const worker = new Worker(new URL("./feed-worker.ts", import.meta.url));
    const calls = createBirpc<ThreadCalls, MainCalls>(answers, {
      post: (message: unknown) => postMoving(worker, message),
      on: (listener) => worker.on("message", listener),
      timeout: -1,
    });
    const ended = (cause: unknown): void => {
      if (thread?.worker === worker) thread = undefined;
      calls.$close(new Error("the thread of the serving indexes ended", { cause }));
    };
    worker.once("error", ended);
    worker.once("exit", ended);
    worker.unref();
    return { worker, calls };
  };
  const calls = (): Thread["calls"] => (thread ??= start()).calls;
  return {
    writer: (index, store) => {
      const { folder, table } = index;
      const served: Served = { table: table.name, store };
      indexes.set(folder, served);
      return {
        apply: async (left, comparing) => resultOf(await calls().apply(index, left, comparing)),
        note: async (isSettled) => {
          served.isSettled = isSettled;
          resultOf(await calls().note(index));
        },
        build: (mostBytes, steps) => {
          [served.steps, served.isSettled] = [steps, steps.isSettled];
          return calls().build(index, mostBytes);
        },
        close: async () => {
          const asked = thread;
          try {
            await asked?.calls.close(folder);
          } catch (error) {
            // A thread that ended meanwhile has no file open any more.
            if (thread === asked) throw error;
          }
        },
      };
    },
    end: async () => void (await thread?.worker.terminate()),
  };
}

/** What the thread is answered, of the indexes that it writes now. */
function answersOf(indexes: ReadonlyMap<string, Served>): MainCalls {
  const of = (folder: string): Served => {
    const found = indexes.get(folder);
    if (found === undefined) throw new Error(`no index in ${folder} is written now`);
    return found;
  };
  return {
    // A copy of its own: what the engine sent may lie in memory that others use.
    read: async (folder, statement, reading) => new Uint8Array(await of(folder).store.read(statement, reading)),
    rows: (folder, statement) => of(folder).store.rows(statement),
    parts: (folder) => readParts(of(folder).store, of(folder).table),
    settled: (folder) => of(folder).isSettled?.() === true,
    progress: (folder, progress) => of(folder).steps?.onProgress(progress),
    ready: async (folder) => of(folder).steps?.onReady(),
  };
}

function resultOf<Result>(outcome: Outcome<Result>): Result {
  if ("damage" in outcome) throw new DamagedError(outcome.damage);
  return outcome.result;
}
