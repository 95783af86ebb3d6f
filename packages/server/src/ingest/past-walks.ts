import type { Clock } from "./clock.ts";

/** The walks of the past that go on, for what works out what they bring. */
export type PastWalks = {
  /** A walk began; to be called when it is over. */
  readonly begin: () => () => void;
  /** The clock with rests that end early when no walk goes on any more, also where that was while nobody rested. */
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
    over.abort(new Error("the past is walked"));
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
