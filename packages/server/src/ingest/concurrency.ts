import { bulkhead } from "cockatiel";
import type { InTurn } from "../definition/pacing.ts";

/**
 * Pauses a continuous activity, such as deriving, for exclusive work, such as a rebuild; pieces of work run one after
 * the other.
 */
export type Hold = {
  /** Runs work once the activity is paused. */
  readonly during: <T>(work: () => Promise<T>) => Promise<T>;
  /** Aborted when the activity has to pause. */
  readonly wanted: () => AbortSignal;
  /** Called once the activity is paused; resolves when it may continue. */
  readonly standStill: () => Promise<void>;
  /** Resolves when no work holds it. */
  readonly released: () => Promise<void>;
};

export function createHold(): Hold {
  let round = newRound();
  let holders = 0;
  let cycle: Promise<unknown> = Promise.resolve();
  const released = (): Promise<void> => (holders === 0 ? Promise.resolve() : round.over.promise);
  return {
    during: async (work) => {
      holders += 1;
      round.wanted.abort(new Error("paused for other work"));
      const own = Promise.all([cycle, round.still.promise]).then(work);
      cycle = own.catch(() => undefined);
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

/** Limits concurrency: other work waits. */
export function createLimiter(atOnce: number): InTurn {
  const policy = bulkhead(atOnce, Number.POSITIVE_INFINITY);
  return async (work) => policy.execute(work);
}

/** Sorts items after those that they wait for. Throws TypeError if they wait for each other. */
export function inOrder<Item>(items: readonly Item[], waitsFor: (one: Item, other: Item) => boolean): Item[] {
  const rest = new Set(items);
  const sorted: Item[] = [];
  while (rest.size > 0) {
    const next = [...rest].find((one) => ![...rest].some((other) => other !== one && waitsFor(one, other)));
    if (next === undefined) throw new TypeError("derivations depend on each other");
    sorted.push(next);
    rest.delete(next);
  }
  return sorted;
}
