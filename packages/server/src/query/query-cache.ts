import { crc32 } from "node:zlib";
import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import type { CacheOutcome } from "./cache-metrics.ts";
import { Waiting, type Waiter } from "./waiting.ts";

/** An answer that stands as long as this says so. */
type Lasting = { readonly isCurrent: () => boolean };

type Asking<T> = {
  /** Two questions with the same key and stamp have one answer. */
  readonly stamp: () => string;
  /** Told who waits: what it begins may end when nobody does. */
  readonly ask: (waiting: Waiting) => Promise<T>;
  /** How long it is kept at most; asked when it is kept. */
  readonly lifeMs: (value: T) => number;
  /** Who asks; absent where they cannot go. */
  readonly waiter?: Waiter | undefined;
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
type Flight<T> = { readonly answer: Promise<T>; readonly waiting: Waiting; isShared: boolean };

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
  const askedBefore = new LRUCache<number, true>(atMost(MOST_ASKED));
  const heads = new LRUCache<string, Head<T>>(atMost(MOST_HEADS));
  const current = (entry: Entry<T> | undefined): T | undefined =>
    entry !== undefined && clock() < entry.until && entry.value.isCurrent() ? entry.value : undefined;
  const { inFlight, begin } = openFlights<T>();
  return {
    headOf: (key) => {
      const found = current(kept.get(key));
      const head = found === undefined ? heads.get(key) : undefined;
      return head ? current({ value: head.value, until: head.since + head.lifeMs(head.value) }) : found;
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
        askedBefore.set(sum, true);
        running.isShared = true;
        running.waiting.add(waiter);
        return running.answer;
      }
      return begin(flight, { ask, waiter }, (value, isShared) => {
        if (askedBefore.has(sum)) kept.set(key, { value: toKeep(value), until: clock() + lifeMs(value) });
        else heads.set(key, { value: headOf(value), since: clock(), lifeMs });
        askedBefore.set(sum, true);
        if (isShared) shared(value);
      });
    },
  };
}

/** Questions that are being answered, by name. */
function openFlights<T>() {
  const inFlight = new Map<string, Flight<T>>();
  const begin = (
    name: string,
    { ask, waiter }: Pick<Asking<T>, "ask" | "waiter">,
    answered: (value: T, isShared: boolean) => void,
  ): Promise<T> => {
    // Nobody joins from then on: what is being ended has no answer for them.
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
