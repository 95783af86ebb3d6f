/** Buckets that wait to be worked out, each once, with the moment (Unix ms) from which its rows were stored. */
export type PendingBuckets = {
  readonly add: (starts: Iterable<number>, storedFrom: number) => void;
  /** Takes up to `count` buckets, lowest first; they stay counted in `oldest` until `done` or `again`. */
  readonly take: (count: number) => readonly number[];
  readonly done: () => void;
  readonly again: () => void;
  readonly size: () => number;
  /** The earliest moment whose rows are not worked out yet; undefined when none are waiting. */
  readonly oldest: () => number | undefined;
};

export function createPendingBuckets(): PendingBuckets {
  const waiting = new Map<number, number>();
  let taken = new Map<number, number>();
  const add = (start: number, storedFrom: number): void => {
    waiting.set(start, Math.min(storedFrom, waiting.get(start) ?? storedFrom));
  };
  return {
    add: (starts, storedFrom) => {
      for (const start of starts) add(start, storedFrom);
    },
    take: (count) => {
      const starts = [...waiting.keys()].sort((a, b) => a - b).slice(0, count);
      taken = new Map(starts.map((start) => [start, waiting.get(start) ?? 0]));
      for (const start of starts) waiting.delete(start);
      return starts;
    },
    done: () => {
      taken = new Map();
    },
    again: () => {
      for (const [start, storedFrom] of taken) add(start, storedFrom);
      taken = new Map();
    },
    size: () => waiting.size + taken.size,
    oldest: () => {
      let least: number | undefined;
      for (const storedFrom of [...waiting.values(), ...taken.values()]) {
        if (least === undefined || storedFrom < least) least = storedFrom;
      }
      return least;
    },
  };
}
