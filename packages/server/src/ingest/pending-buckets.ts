/**
 * Buckets that wait to be worked out, each once, with the moment (Unix ms) from which its rows were stored. Some were
 * left by rows that were taken away: what was worked out from those may have to go.
 */
export type PendingBuckets = {
  readonly add: (starts: Iterable<number>, storedFrom: number, isLeft?: boolean) => void;
  /** Takes up to `count` buckets, lowest first; they stay counted in `oldest` until `done` or `again`. */
  readonly take: (count: number) => { readonly starts: readonly number[]; readonly left: readonly number[] };
  readonly done: () => void;
  readonly again: () => void;
  readonly size: () => number;
  /** The earliest moment whose rows are not worked out yet; undefined when none are waiting. */
  readonly oldest: () => number | undefined;
};

type Waiting = { readonly storedFrom: number; readonly isLeft: boolean };

export function createPendingBuckets(): PendingBuckets {
  const waiting = new Map<number, Waiting>();
  let taken = new Map<number, Waiting>();
  const add = (start: number, more: Waiting): void => {
    const known = waiting.get(start) ?? more;
    const storedFrom = Math.min(more.storedFrom, known.storedFrom);
    waiting.set(start, { storedFrom, isLeft: more.isLeft || known.isLeft });
  };
  return {
    add: (starts, storedFrom, isLeft = false) => {
      for (const start of starts) add(start, { storedFrom, isLeft });
    },
    take: (count) => {
      const chosen = [...waiting].sort(([a], [b]) => a - b).slice(0, count);
      taken = new Map(chosen);
      for (const [start] of chosen) waiting.delete(start);
      const left = chosen.filter(([, { isLeft }]) => isLeft);
      return { starts: chosen.map(([start]) => start), left: left.map(([start]) => start) };
    },
    done: () => {
      taken = new Map();
    },
    again: () => {
      for (const [start, more] of taken) add(start, more);
      taken = new Map();
    },
    size: () => waiting.size + taken.size,
    oldest: () => {
      let least: number | undefined;
      for (const { storedFrom } of [...waiting.values(), ...taken.values()]) {
        if (least === undefined || storedFrom < least) least = storedFrom;
      }
      return least;
    },
  };
}
