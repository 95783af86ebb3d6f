import type { Clock } from "./clock.ts";

/** Tracks running backfills, for the code that derives from their rows. */
export type PastWalks = {
  /** Call when a walk begins; call the result when it ends. */
  readonly begin: () => () => void;
  /** Returns the clock with pauses that end early when the last walk ends, or has ended since the previous pause. */
  readonly wake: (clock: Clock) => Clock;
};

export function createPastWalks(): PastWalks {
  let under = 0;
  let overs = 0;
  let over = new AbortController();
  const end = (): void => {
    under -= 1;
    if (under > 0) return;
    overs += 1;
    over.abort(new Error("backfills finished"));
    over = new AbortController();
  };
  return {
    begin: () => {
      under += 1;
      return end;
    },
    wake: (clock) => {
      let seen = overs;
      const sleep: Clock["sleep"] = async (ms, signal) => {
        if (seen === overs) {
          const { signal: walked } = over;
          await clock
            .sleep(ms, signal === undefined ? walked : AbortSignal.any([signal, walked]))
            .catch(() => undefined);
        }
        seen = overs;
        signal?.throwIfAborted();
      };
      return { ...clock, sleep };
    },
  };
}
