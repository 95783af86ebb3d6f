import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import { CallerError } from "../definition/errors.ts";
import { type Semaphore, openSemaphore } from "../records/semaphore.ts";

/** Concurrent look-ups each for known and unknown ids: far fewer than the records have connections. */
const AT_ONCE = 2;
const MAX_BATCH = 100;
const WAIT_MS = 1000;
const TOO_MANY = "Too many unknown ids are being looked up now; try again in a second.";

/** Finds the known ones among these ids, with one statement for any number of them. */
export type FindMany<T> = (ids: readonly string[]) => Promise<ReadonlyMap<string, T>>;

/**
 * Finds one id. An id not found here before is unknown and queued: any client may send any id before a limit applies,
 * so all unknown ids share this small part of the records' capacity. Throws CallerError UNAVAILABLE if its turn does
 * not come in time: this is not a failure and must not be logged as an error.
 */
export type IdLookup<T> = (id: string) => Promise<T | undefined>;

export function openIdLookup<T>(maxKnown: number, find: FindMany<T>): IdLookup<T> {
  const known = new LRUCache<string, true>(atMost(maxKnown));
  const findUnknown = inBatches(find, openSemaphore(AT_ONCE));
  const findKnown = inBatches(find, openSemaphore(AT_ONCE));
  return async (id) => {
    const found = await (known.has(id) ? findKnown(id) : findUnknown(id));
    if (found === undefined) known.delete(id);
    else known.set(id, true);
    return found;
  };
}

/** Ids that wait for a turn are looked up together once it comes. */
function inBatches<T>(find: FindMany<T>, semaphore: Semaphore): IdLookup<T> {
  type Batch = { readonly ids: string[]; readonly found: Promise<ReadonlyMap<string, T>> };
  let filling: Batch | undefined;
  const take = async (ids: readonly string[]): Promise<ReadonlyMap<string, T>> => {
    const close = (): void => {
      if (filling?.ids === ids) filling = undefined;
    };
    const release = await semaphore.acquire(WAIT_MS).catch(() => {
      close();
      throw new CallerError("UNAVAILABLE", TOO_MANY, { retryAfterSeconds: 1 });
    });
    close();
    try {
      return await find(ids);
    } finally {
      release();
    }
  };
  const begin = (): Batch => {
    const ids: string[] = [];
    return { ids, found: take(ids) };
  };
  return async (id) => {
    if (filling === undefined || filling.ids.length >= MAX_BATCH) filling = begin();
    filling.ids.push(id);
    return (await filling.found).get(id);
  };
}
