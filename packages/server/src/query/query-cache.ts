import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { CacheOutcome } from "./cache-metrics.ts";

export type Kept<T extends object> = {
  readonly joined: (key: string, stamp: string, ask: () => Promise<T>, lifeMs: () => number) => Promise<T>;
};

type CacheOptions<T> = {
  readonly count?: ((outcome: CacheOutcome) => void) | undefined;
  /** The form in which an answer is kept. */
  readonly toKeep?: (value: T) => T;
  /** Told of an answer that several get, before they do. */
  readonly shared?: (value: T) => void;
  /** Milliseconds since any moment. */
  readonly clock?: () => number;
};

type Flight<T> = { readonly answer: Promise<T>; isShared: boolean };

/** Of so many questions it is remembered that they were asked. */
const MOST_ASKED = 32_768;

/**
 * Joins identical questions that are in flight, and keeps an answer while the tables it was read from have not
 * changed, for `lifeMs` (asked when it is kept) at the most. Only a question asked before has its answer kept: pages
 * asked once would fill the memory, and the garbage collector would look after them.
 */
export function openCache<T extends object>(
  sizeOf: (value: T) => number,
  maxBytes: number,
  {
    count = () => undefined,
    toKeep = (value) => value,
    shared = () => undefined,
    clock = () => performance.now(),
  }: CacheOptions<T> = {},
): Kept<T> {
  const kept = new LRUCache<string, { stamp: string; value: T; until: number }>({
    maxSize: maxBytes,
    sizeCalculation: (entry) => Math.max(1, sizeOf(entry.value)),
  });
  // By checksum: where two questions share one, an answer is kept a turn early.
  const askedBefore = new LRUCache<number, true>({ max: MOST_ASKED });
  const inFlight = new Map<string, Flight<T>>();
  return {
    joined: (key, stamp, ask, lifeMs) => {
      const found = kept.get(key);
      if (found && found.stamp === stamp && clock() < found.until) {
        count("kept");
        return Promise.resolve(found.value);
      }
      const sum = crc32(key);
      const flight = `${stamp} ${key}`;
      const running = inFlight.get(flight);
      count(running ? "joined" : "asked");
      if (running) {
        askedBefore.set(sum, true);
        running.isShared = true;
        return running.answer;
      }
      const begun: Flight<T> = {
        isShared: false,
        answer: ask()
          // Nobody joins from here on.
          .finally(() => inFlight.delete(flight))
          .then((value) => {
            if (askedBefore.has(sum)) kept.set(key, { stamp, value: toKeep(value), until: clock() + lifeMs() });
            askedBefore.set(sum, true);
            if (begun.isShared) shared(value);
            return value;
          }),
      };
      inFlight.set(flight, begun);
      return begun.answer;
    },
  };
}
