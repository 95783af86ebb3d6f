import type { Clock } from "../clock.ts";

/**
 * The machine's clock advanced by `byMs` more or less than real time: `from` (Unix ms) is the last time known before,
 * or now if earlier. `setMs` is the part by which it was set; the rest is time in which the machine slept.
 */
export type ClockStep = { readonly from: number; readonly byMs: number; readonly setMs: number };

export type ClockSteps = {
  /** Current venue time (Unix ms), after listeners were notified of a step since the last call. */
  readonly venueNow: () => number;
  /** Returns a function that removes the listener. */
  readonly onStep: (listener: (step: ClockStep) => void) => () => void;
};

/** Synchronized clocks drift less than this between two checks. */
const STEP_MS = 500;
/** Systems report their uptime in whole seconds. */
const UPTIME_ERROR_MS = 1500;

/**
 * Detects when the machine's clock deviates from one that is never set: time servers set it, and it jumps ahead when a
 * machine wakes up. Times before and after cannot measure what lies between.
 */
export function createClockSteps(clock: Clock, venueNow: () => number): ClockSteps {
  const listeners = new Set<(step: ClockStep) => void>();
  let offset = clock.now() - clock.monotonicMs();
  let last = venueNow();
  const asleepMs = (): number => (clock.uptimeMs?.() ?? 0) - clock.monotonicMs();
  let sleptBefore = asleepMs();
  /** How long the machine slept since the last call; 0 if too short to tell. */
  const sleptMs = (): number => {
    if (clock.uptimeMs === undefined) return 0;
    const slept = asleepMs() - sleptBefore;
    sleptBefore += slept;
    return slept > UPTIME_ERROR_MS ? slept : 0;
  };
  return {
    venueNow: () => {
      const before = clock.monotonicMs();
      const machine = clock.now();
      const after = clock.monotonicMs();
      const now = venueNow();
      const byMs = machine - after - offset;
      // If the process was paused between the two readings, they cannot be compared.
      if (after - before > STEP_MS / 2) return now;
      offset += byMs;
      const from = Math.min(last, now);
      last = now;
      if (Math.abs(byMs) <= STEP_MS) return now;
      const slept = sleptMs();
      const setMs = slept > 0 && Math.abs(byMs - slept) <= UPTIME_ERROR_MS ? 0 : byMs - slept;
      for (const listener of listeners) listener({ from, byMs, setMs });
      return now;
    },
    onStep: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
