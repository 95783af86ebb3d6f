import type { Clock } from "../clock.ts";

/**
 * The machine's clock went on by `byMs` more or less than time did: `from` (Unix ms) is the last moment that was known
 * before, or now where that is earlier. By `setMs` it was set; the rest is time in which the machine slept.
 */
export type ClockStep = { readonly from: number; readonly byMs: number; readonly setMs: number };

export type ClockSteps = {
  /** Now by the venue's clock (Unix ms), after whoever listens has heard of a step since the last call. */
  readonly venueNow: () => number;
  /** Returns what takes the listener away. */
  readonly onStep: (listener: (step: ClockStep) => void) => () => void;
};

/** Clocks that are kept right drift by less between two looks. */
const STEP_MS = 500;
/** Systems tell in whole seconds how long they have been up. */
const UPTIME_ERROR_MS = 1500;

/**
 * Notices where the machine's clock goes on otherwise than one that is never set: time servers set it, machines that
 * slept wake up with it ahead. Moments taken before and after are no measure of what came between.
 */
export function createClockSteps(clock: Clock, venueNow: () => number): ClockSteps {
  const listeners = new Set<(step: ClockStep) => void>();
  let offset = clock.now() - clock.monotonicMs();
  let last = venueNow();
  const asleepMs = (): number => (clock.uptimeMs?.() ?? 0) - clock.monotonicMs();
  let sleptBefore = asleepMs();
  /** How long the machine slept since this was asked last; 0 where that is less than can be told. */
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
      // A process that was held between the two looks knows no more than before.
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
