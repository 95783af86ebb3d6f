import type { Worker } from "node:worker_threads";

const threads = new Set<Worker>();

/** Tracks the threads of this process that write serving indexes; call once. */
export function takeThreads(): void {
  process.on("worker", (worker) => {
    threads.add(worker);
    worker.once("exit", () => threads.delete(worker));
  });
}

/** Terminates them wherever they are, as a kill does: uncommitted writes are lost. */
export async function killThreads(): Promise<void> {
  await Promise.all([...threads].map((worker) => worker.terminate()));
}
