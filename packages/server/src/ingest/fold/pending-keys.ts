import type { Day } from "../../definition/fold.ts";

/** A touched value of a source: a key, or what leads to keys. */
export type Touch = { readonly source: number; readonly value: string; readonly day: Day };

/** Touched values that wait, each once with its first day, and the moment (Unix ms) from which its rows were stored. */
export type PendingKeys = {
  readonly add: (touch: Touch, storedFrom: number) => void;
  /** Takes up to `count`, earliest stored first; they stay counted in `oldest` until `done` or `again`. */
  readonly take: (count: number) => readonly Touch[];
  readonly done: () => void;
  readonly again: () => void;
  readonly size: () => number;
  /** The earliest moment whose rows are not worked out yet; undefined when none are waiting. */
  readonly oldest: () => number | undefined;
};

type Waiting = Touch & { readonly storedFrom: number };

export function createPendingKeys(): PendingKeys {
  const waiting = new Map<string, Waiting>();
  let taken: readonly Waiting[] = [];
  const add = (touch: Touch, storedFrom: number): void => {
    const place = `${touch.source} ${touch.value}`;
    const known = waiting.get(place);
    if (known === undefined) {
      waiting.set(place, { ...touch, storedFrom });
    } else if (touch.day < known.day || storedFrom < known.storedFrom) {
      const day = touch.day < known.day ? touch.day : known.day;
      waiting.set(place, { ...touch, day, storedFrom: Math.min(storedFrom, known.storedFrom) });
    }
  };
  return {
    add,
    take: (count) => {
      const chosen: Waiting[] = [];
      for (const [place, one] of waiting) {
        if (chosen.length === count) break;
        chosen.push(one);
        waiting.delete(place);
      }
      taken = chosen;
      return chosen;
    },
    done: () => {
      taken = [];
    },
    again: () => {
      for (const one of taken) add(one, one.storedFrom);
      taken = [];
    },
    size: () => waiting.size + taken.length,
    oldest: () => {
      let least: number | undefined;
      for (const { storedFrom } of waiting.values()) if (least === undefined || storedFrom < least) least = storedFrom;
      for (const { storedFrom } of taken) if (least === undefined || storedFrom < least) least = storedFrom;
      return least;
    },
  };
}
