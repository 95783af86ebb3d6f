import type { Clock } from "./clock.ts";

/** How a queue pauses between turns when a caller waits for it. */
export type Expedite = {
  /** Ends the current pause and shortens later ones, until everything queued now is derived. */
  readonly expedite: () => void;
  /** Call after a cycle: whether it derived the last of what was expedited. */
  readonly isOver: () => boolean;
  readonly rest: (ms: number, signal: AbortSignal) => Promise<void>;
};

/** Number of short pauses of `minMs` per request to expedite: a cycle that keeps failing is not retried like this forever. */
const MAX_RESTS = 60;

/** `hasWaiting`: whether anything stored up to a time (Unix ms) is queued. */
export function createExpedite(clock: Clock, minMs: number, hasWaiting: (upTo: number) => boolean): Expedite {
  let [expeditedAt, left] = [0, 0];
  let resting: AbortController | undefined;
  return {
    expedite: () => {
      [expeditedAt, left] = [clock.now(), MAX_RESTS];
      resting?.abort();
    },
    isOver: () => {
      if (left === 0 || hasWaiting(expeditedAt)) return false;
      left = 0;
      return true;
    },
    rest: async (ms, signal) => {
      resting = new AbortController();
      const until = AbortSignal.any([signal, resting.signal]);
      const isShort = left > 0;
      if (isShort) left -= 1;
      await clock.sleep(isShort ? Math.min(ms, minMs) : ms, until);
    },
  };
}
