import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { CacheOutcome } from "./cache-metrics.ts";

/** An answer that stands as long as this says so. */
type Lasting = { readonly isCurrent: () => boolean };

type Asking<T> = {
  /** Two questions with the same key and stamp have one answer. */
  readonly stamp: () => string;
  readonly ask: () => Promise<T>;
  /** How long it is kept at most; asked when it is kept. */
  readonly lifeMs: (value: T) => number;
};

export type Kept<T extends object> = {
  readonly joined: (key: string, asking: Asking<T>) => Promise<T>;
  /** What is known of a question without its rows, where it was asked before and its answer stands. */
  readonly headOf: (key: string) => T | undefined;
};

type CacheOptions<T> = {
  readonly count?: ((outcome: CacheOutcome) => void) | undefined;
  /** The form in which an answer is kept. */
  readonly toKeep?: (value: T) => T;
  /** An answer without its rows, of a question that was asked once. */
  readonly headOf: (value: T) => T;
  /** Told of an answer that several get, before they do. */
  readonly shared?: (value: T) => void;
  /** Milliseconds since any moment. */
  readonly clock?: () => number;
};

type Entry<T> = { readonly value: T; readonly until: number };
/** How long it stands is asked when somebody wants to know. */
type Head<T> = Pick<Asking<T>, "lifeMs"> & { readonly value: T; readonly since: number };
type Flight<T> = { readonly answer: Promise<T>; isShared: boolean };

/** Of so many questions it is remembered that they were asked. */
const MOST_ASKED = 32_768;
/** Of so many it is kept what their answers were but for the rows. */
const MOST_HEADS = 4_096;

/**
 * Joins identical questions that are in flight, and keeps an answer while what it was read from has not changed, for
 * `lifeMs` at the most. Only a question asked before has its answer kept: pages asked once would fill the memory, and
 * the garbage collector would look after them.
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
  // By checksum: where two questions share one, an answer is kept a turn early.
  const askedBefore = new LRUCache<number, true>({ max: MOST_ASKED });
  const heads = new LRUCache<string, Head<T>>({ max: MOST_HEADS });
  const current = (entry: Entry<T> | undefined): T | undefined =>
    entry !== undefined && clock() < entry.until && entry.value.isCurrent() ? entry.value : undefined;
  const inFlight = new Map<string, Flight<T>>();
  return {
    headOf: (key) => {
      const found = current(kept.get(key));
      const head = found === undefined ? heads.get(key) : undefined;
      return head ? current({ value: head.value, until: head.since + head.lifeMs(head.value) }) : found;
    },
    joined: (key, { stamp, ask, lifeMs }) => {
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
            if (askedBefore.has(sum)) kept.set(key, { value: toKeep(value), until: clock() + lifeMs(value) });
            else heads.set(key, { value: headOf(value), since: clock(), lifeMs });
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
