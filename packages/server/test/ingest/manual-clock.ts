import type { Clock } from "../../src/ingest/clock.ts";

export type ManualClock = Clock & {
  readonly advance: (ms: number) => Promise<void>;
  /** Sets the machine's clock by `ms`, which does not affect sleepers. */
  readonly set: (ms: number) => void;
  /** Number of current sleepers. */
  readonly sleeping: () => number;
};

/**
 * A clock that is paused until advanced; sleepers wake in order, and their work runs before time continues. With another
 * rate than 1 its monotonic time is fractional and drifts from the other, as a machine's.
 */
export function manualClock(start = Date.UTC(2026, 10, 20), monotonicRate = 1): ManualClock {
  let [now, setBy] = [start, 0];
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => now + setBy,
    monotonicMs: () => start + (now - start) * monotonicRate,
    set: (ms) => {
      setBy += ms;
    },
    sleeping: () => sleepers.length,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const sleeper = { at: now + Math.max(0, ms), wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener("abort", () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal.reason as Error);
        });
      }),
    advance: async (ms) => {
      const end = now + ms;
      await settle();
      for (;;) {
        sleepers.sort((a, b) => a.at - b.at);
        const next = sleepers[0];
        if (next === undefined || next.at > end) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = end;
    },
  };
}

async function settle(): Promise<void> {
  for (let cycle = 0; cycle < 5; cycle += 1) await new Promise((resolve) => setImmediate(resolve));
}
