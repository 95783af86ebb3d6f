import type { Resynced } from "../../definition/connector.ts";

/** What arrives for a session, in order: frames, states fetched over REST, and marks that say "up to here". */
export type Arrival =
  | { readonly kind: "frame"; readonly text: string; readonly receivedMs: number }
  | { readonly kind: "state"; readonly state: Resynced; readonly receivedMs: number }
  | { readonly kind: "mark"; readonly receivedMs: number; readonly reached: () => void };

export type ArrivalQueue = {
  /** False when a frame does not fit: from then on nothing is taken. */
  readonly offer: (arrival: Arrival) => boolean;
  readonly take: (count: number) => readonly Arrival[];
  readonly size: () => number;
  readonly isFull: () => boolean;
  readonly close: () => void;
  readonly isClosed: () => boolean;
};

export type QueueBounds = { readonly maxFrames: number; readonly maxChars: number };

export function createArrivalQueue(bounds: QueueBounds): ArrivalQueue {
  let waiting: Arrival[] = [];
  let taken = 0;
  let chars = 0;
  let isClosed = false;
  const size = (): number => waiting.length - taken;
  const isFull = (): boolean => size() >= bounds.maxFrames || chars >= bounds.maxChars;
  return {
    offer: (arrival) => {
      if (isClosed) return false;
      if (arrival.kind === "frame") {
        if (isFull()) {
          isClosed = true;
          return false;
        }
        chars += arrival.text.length;
      }
      waiting.push(arrival);
      return true;
    },
    take: (count) => {
      const slice = waiting.slice(taken, taken + count);
      taken += slice.length;
      for (const arrival of slice) if (arrival.kind === "frame") chars -= arrival.text.length;
      if (taken === waiting.length || taken > 10_000) {
        waiting = waiting.slice(taken);
        taken = 0;
      }
      return slice;
    },
    size,
    isFull,
    close: () => {
      isClosed = true;
    },
    isClosed: () => isClosed,
  };
}
