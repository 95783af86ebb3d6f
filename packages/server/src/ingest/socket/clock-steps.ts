import type { Clock } from "../clock.ts";

/** The machine's clock was set: `from` (Unix ms) is the last moment that was known before, or now where that is earlier. */
export type ClockStep = { readonly from: number; readonly byMs: number };

export type ClockSteps = {
  /** Now by the venue's clock (Unix ms), after whoever listens has heard of a step since the last call. */
  readonly venueNow: () => number;
  /** Returns what takes the listener away. */
  readonly onStep: (listener: (step: ClockStep) => void) => () => void;
};

/** Clocks that are kept right drift by less between two looks. */
const STEP_MS = 500;

/**
 * Notices where the machine's clock goes on otherwise than one that is never set: time servers set it, machines that
 * slept wake up with it ahead. Moments taken before and after are no measure of what came between.
 */
export function createClockSteps(clock: Clock, venueNow: () => number): ClockSteps {
  const listeners = new Set<(step: ClockStep) => void>();
  let offset = clock.now() - clock.monotonicMs();
  let last = venueNow();
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
      if (Math.abs(byMs) > STEP_MS) for (const listener of listeners) listener({ from, byMs });
      return now;
    },
    onStep: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
