import { Worker } from "node:worker_threads";

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
