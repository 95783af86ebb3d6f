import { LRUCache } from "lru-cache";
import { atMost } from "../definition/at-most.ts";
import { CallerError } from "../definition/errors.ts";
import { openGate } from "../records/gate.ts";

/** Far fewer than the records have connections, so that strangers alone wait for strangers. */
const AT_ONCE = 3;
const WAIT_MS = 1000;
const TOO_MANY = "Too many who are not known here yet are being looked up now; try again in a second.";

/**
 * Finds somebody. Who was not found here before is a stranger, looked up in turn: anybody may ask as anybody, before any
 * limit counts, so that all of them together get no more of the records than this. Throws CallerError UNAVAILABLE
 * for a stranger whose turn does not come: nothing failed, so no line of the log is to have it as an error.
 */
export type Strangers<T> = (id: string, look: () => Promise<T | undefined>) => Promise<T | undefined>;

export function openStrangers<T>(maxMet: number): Strangers<T> {
  const gate = openGate(AT_ONCE);
  const met = new LRUCache<string, true>(atMost(maxMet));
  const inTurn = async (look: () => Promise<T | undefined>): Promise<T | undefined> => {
    const leave = await gate.enter(WAIT_MS).catch(() => {
      throw new CallerError("UNAVAILABLE", TOO_MANY, { retryAfterSeconds: 1 });
    });
    try {
      return await look();
    } finally {
      leave();
    }
  };
  return async (id, look) => {
    const found = await (met.has(id) ? look() : inTurn(look));
    if (found === undefined) met.delete(id);
    else met.set(id, true);
    return found;
  };
}
