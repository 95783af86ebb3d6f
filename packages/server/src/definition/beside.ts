import { setImmediate } from "node:timers/promises";

const MOST_AT_ONCE_MS = 10;

/** Works a long computation out beside other work of the process, which is let in between two steps every few milliseconds. */
export async function beside<T>(steps: Generator<void, T>): Promise<T> {
  let step = steps.next();
  for (let since = performance.now(); step.done !== true; step = steps.next()) {
    if (performance.now() - since < MOST_AT_ONCE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
  return step.value;
}
