import { setImmediate as breathe } from "node:timers/promises";
import type { Clock } from "../../packages/server/src/ingest/clock.ts";

/** A clock that stands until somebody sleeps and then skips the wait: budgets are kept in its time, at once in ours. */
export function skippingClock(startMs: number): Clock {
  let now = startMs;
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      now += Math.max(0, ms);
      await breathe();
      signal?.throwIfAborted();
    },
  };
}
