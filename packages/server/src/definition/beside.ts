import { setImmediate } from "node:timers/promises";

const MOST_AT_ONCE_MS = 10;

/** Works a long computation out beside other work of the process, which is let in between two steps every few milliseconds. */
export async function beside<T>(steps: Generator<unknown, T>): Promise<T> {
  let step = steps.next();
  for (let since = performance.now(); step.done !== true; step = steps.next()) {
    if (performance.now() - since < MOST_AT_ONCE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return step.value;
}

/** The same while everything else waits. */
export function atOnce<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
