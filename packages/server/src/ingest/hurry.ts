import type { Clock } from "./clock.ts";

/** How a queue pauses between turns when a caller waits for it. */
export type Hurry = {
  /** Ends the current pause and shortens later ones, until everything queued now is derived. */
  readonly hurry: () => void;
  /** Call after a turn: whether it derived the last of what was hurried. */
  readonly isOver: () => boolean;
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Number of short pauses of `leastMs` per hurry: a turn that keeps failing is not retried like this forever. */
const MOST_RESTS = 60;

/** `hasWaiting`: whether anything stored up to a time (Unix ms) is queued. */
export function createHurry(clock: Clock, leastMs: number, hasWaiting: (upTo: number) => boolean): Hurry {
  let [hurriedAt, left] = [0, 0];
  let resting: AbortController | undefined;
  return {
    hurry: () => {
      [hurriedAt, left] = [clock.now(), MOST_RESTS];
      resting?.abort();
    },
    isOver: () => {
      if (left === 0 || hasWaiting(hurriedAt)) return false;
      left = 0;
      return true;
    },
    rest: async (ms, signal) => {
      resting = new AbortController();
      const until = AbortSignal.any([signal, resting.signal]);
      const isShort = left > 0;
      if (isShort) left -= 1;
      await clock.sleep(isShort ? Math.min(ms, leastMs) : ms, until);
    },
  };
}
