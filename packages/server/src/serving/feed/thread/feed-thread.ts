import { Worker } from "node:worker_threads";
import { createBirpc, type BirpcReturn } from "birpc";
import type { LeftSpan } from "../../../definition/spans.ts";
import { DamagedError } from "../../../ordered/ordered-store.ts";
import type { Store } from "../../../store/store.ts";
import type { Comparing } from "../follow-index.ts";
import { readParts } from "../stored-parts.ts";
import {
  type FedIndex,
  type MainCalls,
  type Outcome,
  type Progress,
  type ThreadCalls,
  postMoving,
} from "./feed-calls.ts";

type BuildSteps = {
  readonly onProgress: (progress: Progress) => void;
  readonly onReady: () => Promise<void>;
  /** Whether nothing was written to the table since the build began, and no other process can write. */
  readonly isSettled: () => boolean;
};

/** An index written by the thread. */
export type FedWriter = {
  readonly apply: (left: readonly LeftSpan[], comparing: Comparing) => Promise<{ readonly isNew: boolean }>;
  /** `isSettled` tells whether nothing was written to the table except what was applied. */
  readonly note: (isSettled: () => boolean) => Promise<void>;
  readonly build: (maxBytes: number, steps: BuildSteps) => Promise<void>;
  /** Aborts the work in progress, and closes the file. */
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
 * Starts the thread that writes serving indexes, so that no request waits for a transaction of rows. It reads the store
 * through the main thread. If it ends by itself, the work in progress fails and the next call restarts it.
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
        build: (maxBytes, steps) => {
          [served.steps, served.isSettled] = [steps, steps.isSettled];
          return calls().build(index, maxBytes);
        },
        close: async () => {
          const requested = thread;
          try {
            await requested?.calls.close(folder);
          } catch (error) {
            // A thread that ended meanwhile no longer has a file open.
            if (thread === requested) throw error;
          }
        },
      };
    },
    end: async () => void (await thread?.worker.terminate()),
  };
}

/** Answers the thread's calls for the indexes that it currently writes. */
function answersOf(indexes: ReadonlyMap<string, Served>): MainCalls {
  const of = (folder: string): Served => {
    const found = indexes.get(folder);
    if (found === undefined) throw new Error(`no index in ${folder} is being written`);
    return found;
  };
  return {
    // Copied, since the engine's bytes may lie in a shared buffer.
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
