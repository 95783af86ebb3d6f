import type { Worker } from "node:worker_threads";

const threads = new Set<Worker>();

/** Has the threads of this process that write serving indexes noted; once. */
export function takeThreads(): void {
  process.on("worker", (worker) => {
    threads.add(worker);
    worker.once("exit", () => threads.delete(worker));
  });
}

/** Ends them where they are, as a kill does: what they had begun to write and not committed is not there. */
export async function killThreads(): Promise<void> {
  await Promise.all([...threads].map((worker) => worker.terminate()));
}
