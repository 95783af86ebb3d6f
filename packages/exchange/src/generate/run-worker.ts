import { Worker } from "node:worker_threads";
import type { Chunk } from "./chunk-writer.ts";
import type { WorkerJob } from "./shard-worker.ts";

/** What a worker says. */
type Said<R> = { chunk: Chunk } | { fills: number } | { result: R };

/** Runs one shard in a thread of its own; rejects when it fails or ends without a result. */
export function runWorker<R>(
  job: WorkerJob,
  onChunk: (chunk: Chunk) => void,
  onFills: (fills: number) => void,
): { result: Promise<R>; stop: () => void } {
  const worker = new Worker(new URL("./shard-worker.ts", import.meta.url), { workerData: job });
  const result = new Promise<R>((resolve, reject) => {
    worker.on("message", (said: Said<R>) => {
      if ("chunk" in said) onChunk(said.chunk);
      else if ("fills" in said) onFills(said.fills);
      else resolve(said.result);
    });
    worker.on("error", reject);
    worker.on("exit", (code) => reject(new Error(`Shard ended with code ${code} and no result`)));
  });
  return { result, stop: () => void worker.terminate() };
}
