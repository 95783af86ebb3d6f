import type { Resynced } from "../../definition/connector.ts";

/** What arrives for a session, in order: frames, states fetched over REST, and marks that say "up to here". */
export type Arrival =
  | { readonly kind: "frame"; readonly text: string; readonly receivedMs: number }
  | { readonly kind: "state"; readonly state: Resynced; readonly receivedMs: number }
  | { readonly kind: "mark"; readonly reached: () => void };

export type ArrivalQueue = {
  /** False when a frame does not fit: from then on nothing is taken. */
  readonly offer: (arrival: Arrival) => boolean;
  readonly take: (count: number) => readonly Arrival[];
  readonly size: () => number;
  readonly isFull: () => boolean;
  readonly close: () => void;
  readonly isClosed: () => boolean;
};

export type QueueBounds = {
  readonly maxFrames: number;
  /** Of all queues that share `waiting`; of this one without it. */
  readonly maxChars: number;
  readonly waiting?: Waiting;
};

/** What waits in the queues of a stream's sockets together. */
export type Waiting = { chars: number };

/** What a frame costs beside its text. */
const FRAME_CHARS = 200;

export function createArrivalQueue(bounds: QueueBounds): ArrivalQueue {
  let waiting: Arrival[] = [];
  let taken = 0;
  const { waiting: shared = { chars: 0 } } = bounds;
  let isClosed = false;
  const size = (): number => waiting.length - taken;
  const isFull = (): boolean => size() >= bounds.maxFrames || shared.chars >= bounds.maxChars;
  return {
    offer: (arrival) => {
      if (isClosed) return false;
      if (arrival.kind === "frame") {
        if (isFull()) {
          isClosed = true;
          return false;
        }
        shared.chars += arrival.text.length + FRAME_CHARS;
      }
      waiting.push(arrival);
      return true;
    },
    take: (count) => {
      const slice = waiting.slice(taken, taken + count);
      taken += slice.length;
      for (const arrival of slice) {
        if (arrival.kind === "frame") shared.chars -= arrival.text.length + FRAME_CHARS;
      }
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
