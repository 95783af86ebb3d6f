import { openGate } from "../records/gate.ts";

/** Far fewer than the records have connections, so that strangers alone wait for strangers. */
const AT_ONCE = 3;
const WAIT_MS = 1000;

/**
 * Takes a look-up of somebody who was not known lately in turn: anybody may ask as anybody, before any limit counts, so
 * that all of them together get no more of the records than this. Throws RecordsError "busy" for whose turn does not come.
 */
export type Strangers = <T>(look: () => Promise<T>) => Promise<T>;

export function openStrangers(): Strangers {
  const gate = openGate(AT_ONCE);
  return async (look) => {
    const leave = await gate.enter(WAIT_MS);
    try {
      return await look();
    } finally {
      leave();
    }
  };
}
