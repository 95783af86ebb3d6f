import type { IngestMetrics } from "./ingest-metrics.ts";
import { STAMP_MARGIN_MS } from "./timestamps.ts";

/**
 * Items (buckets, keys) whose rows are stored but not derived yet: noted items, each once with the time (Unix ms) from
 * which its rows were stored; writes in progress; and the time from which items were not noted and have to be looked up
 * in the store.
 */
export type Backlog<Thing> = {
  /** Call before storing rows; its time counts in `oldest` until `end`. */
  readonly begin: () => { readonly at: number; readonly end: () => void };
  readonly add: (things: Iterable<Thing>, storedFrom: number) => void;
  /** Items stored from this time (Unix ms) on have to be looked up in the store. */
  readonly lookUp: (storedFrom: number) => void;
  /**
   * Passes up to `count` items to `work`, which returns how many it derived; they are queued again if it fails.
   * `sinceMs`: a lower bound of when the queued rows were stored.
   */
  readonly cycle: (
    count: number,
    work: (things: readonly Thing[], sinceMs: number) => Promise<number>,
  ) => Promise<void>;
  /** Derives everything that has to be looked up, if anything. */
  readonly settle: (work: (sinceMs: number) => Promise<unknown>) => Promise<void>;
  readonly size: () => number;
  /** Whether a queued or running item passes the test. */
  readonly has: (test: (thing: Thing) => boolean) => boolean;
  readonly isToLookUp: () => boolean;
  /** The earliest stored time that is queued or to be looked up; infinite if none. */
  readonly oldestWaiting: () => number;
  /** The earliest time whose rows are not derived yet, including writes in progress; `now` if none. */
  readonly oldest: (now: number) => number;
};

export type BacklogOptions<Thing> = {
  readonly placeOf: (thing: Thing) => string | number;
  /** Merges two items with the same key. */
  readonly together: (one: Thing, other: Thing) => Thing;
  /** Which are taken first; insertion order when absent. */
  readonly order?: (one: Thing, other: Thing) => number;
  readonly name: string;
  readonly clock: { readonly now: () => number };
  readonly metrics: Pick<IngestMetrics, "derivePending" | "derived">;
};

type Waiting<Thing> = { readonly thing: Thing; readonly storedFrom: number };

const NEVER = Number.POSITIVE_INFINITY;

export function createBacklog<Thing>(options: BacklogOptions<Thing>): Backlog<Thing> {
  const { clock, metrics } = options;
  const labels = { derivation: options.name };
  const waiting = createWaiting(options);
  const storing = new Set<{ readonly at: number }>();
  let taken: readonly Waiting<Thing>[] = [];
  let [toLookUp, lookedUp] = [NEVER, NEVER];
  const oldestNoted = (): number => Math.min(waiting.oldest(), ...taken.map(({ storedFrom }) => storedFrom));
  const oldestWaiting = (): number => Math.min(oldestNoted(), toLookUp, lookedUp);
  const size = (): number => waiting.size() + taken.length;
  return {
    begin: () => {
      const one = { at: clock.now() };
      storing.add(one);
      return { at: one.at, end: () => storing.delete(one) };
    },
    add: (things, storedFrom) => {
      for (const thing of things) waiting.add({ thing, storedFrom });
    },
    lookUp: (storedFrom) => {
      toLookUp = Math.min(toLookUp, storedFrom);
    },
    cycle: async (count, work) => {
      const sinceMs = oldestNoted() - STAMP_MARGIN_MS;
      metrics.derivePending.set(labels, size());
      taken = waiting.take(count);
      if (taken.length === 0) return;
      try {
        const things = taken.map(({ thing }) => thing);
        metrics.derived.inc(labels, await work(things, sinceMs));
      } catch (error) {
        for (const one of taken) waiting.add(one);
        throw error;
      } finally {
        taken = [];
      }
    },
    settle: async (work) => {
      if (toLookUp === NEVER) return;
      [lookedUp, toLookUp] = [toLookUp, NEVER];
      try {
        await work(lookedUp - STAMP_MARGIN_MS);
      } catch (error) {
        toLookUp = Math.min(lookedUp, toLookUp);
        throw error;
      } finally {
        lookedUp = NEVER;
      }
    },
    size,
    has: (test) => waiting.has(test) || taken.some(({ thing }) => test(thing)),
    isToLookUp: () => Math.min(toLookUp, lookedUp) < NEVER,
    oldestWaiting,
    oldest: (now) => Math.min(now, oldestWaiting(), ...[...storing].map(({ at }) => at)),
  };
}

/** Queued items, keyed by `placeOf`. */
function createWaiting<Thing>({ placeOf, together, order }: BacklogOptions<Thing>) {
  const waiting = new Map<string | number, Waiting<Thing>>();
  return {
    add: (one: Waiting<Thing>): void => {
      const place = placeOf(one.thing);
      const known = waiting.get(place) ?? one;
      const storedFrom = Math.min(known.storedFrom, one.storedFrom);
      waiting.set(place, { thing: together(known.thing, one.thing), storedFrom });
    },
    take: (count: number): readonly Waiting<Thing>[] => {
      const all = [...waiting.values()];
      if (order) all.sort((one, other) => order(one.thing, other.thing));
      const chosen = all.slice(0, count);
      for (const { thing } of chosen) waiting.delete(placeOf(thing));
      return chosen;
    },
    size: (): number => waiting.size,
    has: (test: (thing: Thing) => boolean): boolean => {
      for (const { thing } of waiting.values()) if (test(thing)) return true;
      return false;
    },
    oldest: (): number => {
      let oldest = NEVER;
      for (const { storedFrom } of waiting.values()) if (storedFrom < oldest) oldest = storedFrom;
      return oldest;
    },
  };
}
