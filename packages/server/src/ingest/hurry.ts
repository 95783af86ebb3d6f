import type { Clock } from "./clock.ts";

/** How the turns of a queue rest when somebody waits for them. */
export type Hurry = {
  /** Ends the rest under way, and those after it early, until what waits now is worked out. */
  readonly hurry: () => void;
  /** After a turn: whether that was the one that worked the last of it out. */
  readonly isOver: () => boolean;
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** So many rests of `leastMs` are made for one hurry: a turn that fails again and again is not tried so for ever. */
const MOST_RESTS = 60;

/** `hasWaiting`: whether something waits that was stored up to a moment (Unix ms). */
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
