import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import { Waiting, type Waiter } from "./waiting.ts";
import { Counter, type Registry } from "prom-client";

/** An answer that is valid as long as `isCurrent` returns true. */
type Lasting = { readonly isCurrent: () => boolean };

type Asking<T> = {
  /** Two queries with the same key and stamp have the same answer. */
  readonly stamp: () => number;
  /** Receives the set of waiting callers: work may be cancelled once it is empty. */
  readonly ask: (waiting: Waiting) => Promise<T>;
  /** Maximum time to cache the value, computed when it is stored. */
  readonly lifeMs: (value: T) => number;
  /** The caller; absent if it cannot disconnect. */
  readonly waiter?: Waiter | undefined;
};

export type Kept<T extends object> = {
  readonly joined: (key: string, asking: Asking<T>) => Promise<T>;
  /** The answer without its rows, if the query was asked before and its answer is still valid. */
  readonly headOf: (key: string) => T | undefined;
};

type CacheOptions<T> = {
  readonly count?: ((outcome: CacheOutcome) => void) | undefined;
  /** Converts an answer to the form in which it is cached. */
  readonly toKeep?: (value: T) => T;
  /** Strips the rows from the answer of a query asked only once. */
  readonly headOf: (value: T) => T;
  /** Called with an answer that several callers get, before they get it. */
  readonly shared?: (value: T) => void;
  /** Milliseconds since an arbitrary start. */
  readonly clock?: () => number;
};

/** Not valid before `since` either: the clock may be set back. */
type Entry<T> = { readonly value: T; readonly since: number; readonly until: number };
/** Its lifetime is computed at lookup. */
type Head<T> = Pick<Asking<T>, "lifeMs"> & { readonly value: T; readonly since: number };
type Flight<T> = { readonly answer: Promise<T>; readonly waiting: Waiting; isShared: boolean };

/** Number of query checksums remembered as asked before. */
const MAX_REQUESTED = 32_768;
/** Number of queries whose answers are kept without their rows. */
const MAX_HEADS = 4_096;

/**
 * Joins identical queries in flight, and caches an answer while its sources are unchanged, for `lifeMs` at most. Only
 * queries asked before have their answers cached: pages asked once would fill the memory and burden the garbage
 * collector.
 */
export function openCache<T extends Lasting>(
  sizeOf: (value: T) => number,
  maxBytes: number,
  {
    count = () => undefined,
    toKeep = (value) => value,
    headOf,
    shared = () => undefined,
    clock = () => performance.now(),
  }: CacheOptions<T>,
): Kept<T> {
  const kept = new LRUCache<string, Entry<T>>({
    maxSize: maxBytes,
    sizeCalculation: (entry) => Math.max(1, sizeOf(entry.value)),
  });
  // Checksums, not keys: on a collision an answer is only cached one request early.
  const requestedBefore = new LRUCache<number, true>(atMost(MAX_REQUESTED));
  const heads = new LRUCache<string, Head<T>>(atMost(MAX_HEADS));
  const current = (entry: Entry<T> | undefined): T | undefined =>
    entry && clock() >= entry.since && clock() < entry.until && entry.value.isCurrent() ? entry.value : undefined;
  const { inFlight, begin } = openFlights<T>();
  return {
    headOf: (key) => {
      const found = current(kept.get(key));
      const head = found === undefined ? heads.get(key) : undefined;
      return head ? current({ ...head, until: head.since + head.lifeMs(head.value) }) : found;
    },
    joined: (key, { stamp, ask, lifeMs, waiter }) => {
      const found = current(kept.get(key));
      if (found !== undefined) {
        count("kept");
        return Promise.resolve(found);
      }
      const sum = crc32(key);
      const flight = `${stamp()} ${key}`;
      const running = inFlight.get(flight);
      count(running ? "joined" : "asked");
      if (running) {
        requestedBefore.set(sum, true);
        running.isShared = true;
        running.waiting.add(waiter);
        return running.answer;
      }
      return begin(flight, { ask, waiter }, (value, isShared) => {
        const since = clock();
        if (requestedBefore.has(sum)) kept.set(key, { value: toKeep(value), since, until: since + lifeMs(value) });
        else heads.set(key, { value: headOf(value), since, lifeMs });
        requestedBefore.set(sum, true);
        if (isShared) shared(value);
      });
    },
  };
}

/** Queries in flight, by name. */
function openFlights<T>() {
  const inFlight = new Map<string, Flight<T>>();
  const begin = (
    name: string,
    { ask, waiter }: Pick<Asking<T>, "ask" | "waiter">,
    answered: (value: T, isShared: boolean) => void,
  ): Promise<T> => {
    // Stop others from joining: a flight being cancelled has no answer for them.
    const end = (): unknown => inFlight.get(name)?.waiting === waiting && inFlight.delete(name);
    const waiting: Waiting = new Waiting(end);
    waiting.add(waiter);
    const flight: Flight<T> = {
      isShared: false,
      waiting,
      answer: ask(waiting)
        .finally(end)
        .then((value) => {
          answered(value, flight.isShared);
          return value;
        }),
    };
    if (!waiting.isOver) inFlight.set(name, flight);
    return flight.answer;
  };
  return { inFlight, begin };
}

/** Outcome of a cache lookup: the answer was cached, a query in flight was joined, or the engine was queried. */
export type CacheOutcome = "kept" | "joined" | "asked";

/** Counts queries by how they were answered. */
export function createCacheMetrics(registry: Registry): (outcome: CacheOutcome) => void {
  const questions = new Counter({
    name: "almanac_query_answers_total",
    help: "Pages answered: from the cache (kept), joined to an identical query in flight (joined), or queried (asked).",
    labelNames: ["outcome"] as const,
    registers: [registry],
  });
  return (outcome) => questions.inc({ outcome });
}
