import { setTimeout as wait } from "node:timers/promises";

/** Time as everything in ingest sees it; tests hand over one they move themselves. `now` is Unix milliseconds. */
export type Clock = {
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    signal?.throwIfAborted();
    try {
      await wait(Math.max(0, ms), undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
