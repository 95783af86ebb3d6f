import cluster, { type Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { isRecordsAway } from "../../access/access-error.ts";
import { openOutbox, type Outbox } from "./owner-channel.ts";
import type { WorkerRequest, FromWorker, Opening, Report, Reply, ToWorker } from "./protocol.ts";
import type { WorkerMetrics } from "./publish-status.ts";

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;
/** A worker that ran this long ended for a new reason, so its restart delay is reset. */
const LONG_LIFE_MS = 30_000;
/** Somewhat longer than a server takes to finish requests in flight. */
const STOP_MS = 12_000;

type Options = {
  readonly count: number;
  /** The file descriptor of this process for the workers' log. */
  readonly logTo: 1 | 2;
  readonly opening: (number: number) => Opening;
  readonly answer: (request: WorkerRequest) => Promise<Reply>;
  readonly reported: (report: Report) => void;
  readonly metrics: WorkerMetrics;
  readonly log: Logger;
};

export type Workers = {
  /** Resolves once all listen; rejects if the first ones cannot. */
  readonly listening: Promise<string>;
  readonly inFlight: () => number;
  /** Sends a message to all. */
  readonly broadcast: (message: ToWorker) => void;
  /** Lets workers finish requests in flight. */
  readonly close: () => Promise<void>;
};

type Running = Pick<Outbox<ToWorker>, "post"> & { readonly worker: Worker; inFlight: number };

/**
 * Starts processes that answer on one port: this process accepts connections and hands them out in turn. A worker that
 * ends is restarted.
 */
export function startWorkers(options: Options): Workers {
  const { count, logTo, metrics, log } = options;
  const running = new Map<number, Running>();
  const closing = new AbortController();
  cluster.setupPrimary({ exec: WORKER, args: [], serialization: "advanced", stdio: ["ignore", logTo, 2, "ipc"] });

  const begin = (number: number, failures: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const entry = fork();
      const { worker, post } = entry;
      running.set(number, entry);
      const ended = (code: number | null, signal: string | null, why: unknown = signal ?? code): void => {
        running.delete(number);
        metrics.running(running.size);
        reject(new Error(`a worker ended with ${String(why)} before it listened`));
        if (closing.signal.aborted) return;
        noteEnd(options, { worker: number, pid: worker.process.pid, code, signal });
        void again(number, performance.now() - began > LONG_LIFE_MS ? 0 : failures);
      };
      worker.on("error", (error) => {
        log.error({ err: error, worker: number }, "a worker, or a message to or from it, failed");
        // A process that could not be started reports no exit.
        if (worker.process.pid === undefined && running.get(number) === entry) ended(null, null, error);
      });
      worker.on("message", (messages: readonly FromWorker[]) => {
        for (const message of messages)
          if (message.kind === "listening") {
            metrics.running(running.size);
            resolve(message.baseUrl);
          } else if (message.kind === "failed") reject(new Error(message.message));
          else if (message.kind === "request") void answer(entry, message, options.answer);
          else {
            entry.inFlight = message.report.inFlight;
            options.reported(message.report);
          }
      });
      worker.once("exit", ended);
      post({ kind: "open", opening: options.opening(number) });
    });
  const again = async (number: number, failures: number): Promise<void> => {
    try {
      await sleep(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures), undefined, { signal: closing.signal });
      await begin(number, failures + 1);
    } catch (error) {
      // The worker ended again, which triggers the next restart.
      if (!closing.signal.aborted) log.error({ err: error, worker: number }, "a worker could not be started");
    }
  };
  const first = Array.from({ length: count }, (_, index) => begin(index + 1, 0));
  return {
    listening: Promise.all(first).then(([baseUrl = ""]) => baseUrl),
    inFlight: () => [...running.values()].reduce((sum, each) => sum + each.inFlight, 0),
    broadcast: (message) => {
      for (const { post } of running.values()) post(message);
    },
    close: async () => {
      closing.abort();
      await Promise.all([...running.values()].map(end));
    },
  };
}

type End = {
  readonly worker: number;
  readonly pid: number | undefined;
  readonly code: number | null;
  readonly signal: string | null;
};

/** A worker exits with 0 by itself if the engine has moved, or if it was asked to stop: nothing has failed. */
function noteEnd({ metrics, log }: Options, ended: End): void {
  if (ended.code === 0) return log.info(ended, "a worker stopped; replacing it");
  metrics.ended();
  log.error(ended, "a worker ended; restarting it");
}

function fork(): Running {
  const worker = cluster.fork();
  const { post } = openOutbox<ToWorker>((messages) => {
    if (worker.isConnected()) worker.send(messages, () => undefined);
  });
  return { worker, post, inFlight: 0 };
}

async function answer(
  { post }: Pick<Running, "post">,
  { id, request }: { readonly id: number; readonly request: WorkerRequest },
  replyTo: Options["answer"],
): Promise<void> {
  try {
    post({ kind: "reply", id, reply: await replyTo(request) });
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    post({ kind: "error", id, problem, isAway: isRecordsAway(error) });
  }
}

async function end({ worker, post }: Running): Promise<void> {
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  post({ kind: "stop" });
  const forced = setTimeout(() => worker.process.kill("SIGKILL"), STOP_MS);
  await exited;
  clearTimeout(forced);
}
