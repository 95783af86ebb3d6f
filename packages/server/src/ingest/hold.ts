/**
 * Lets work stand in for something that goes on all the time, such as a rebuild for the derivations: that stands still
 * while the work goes on, one after the other.
 */
export type Hold = {
  /** Runs work as soon as all stands still. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Aborted when somebody wants it to stand still. */
  readonly wanted: () => AbortSignal;
  /** It stands still; resolves once it may go on. */
  readonly standStill: () => Promise<void>;
  /** Resolves when nobody holds it. */
  readonly released: () => Promise<void>;
};

export function createHold(): Hold {
  let round = newRound();
  let holders = 0;
  let turn: Promise<unknown> = Promise.resolve();
  const released = (): Promise<void> => (holders === 0 ? Promise.resolve() : round.over.promise);
  return {
    during: async (work) => {
      holders += 1;
      round.wanted.abort(new Error("it stands still for other work"));
      const own = Promise.all([turn, round.still.promise]).then(work);
      turn = own.catch(() => undefined);
      try {
        return await own;
      } finally {
        holders -= 1;
        if (holders === 0) {
          round.over.resolve();
          round = newRound();
        }
      }
    },
    wanted: () => round.wanted.signal,
    standStill: async () => {
      round.still.resolve();
      await released();
    },
    released,
  };
}

const newRound = () => ({
  wanted: new AbortController(),
  still: Promise.withResolvers<void>(),
  over: Promise.withResolvers<void>(),
});
