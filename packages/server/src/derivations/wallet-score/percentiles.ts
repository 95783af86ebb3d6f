export type Ranking = {
  /** Share of the pool below a value, those equal to it counted half, 0 to 1; one half for null. */
  readonly placeOf: (value: number | null) => number;
};

/** Every so many values of a pool are looked through first: these few stay in the processor's cache. */
const STEP = 64;

/** Percentiles within a pool; nulls are left out of it. */
export function percentiles(pool: readonly (number | null)[]): Ranking {
  const sorted = Float64Array.from(pool.filter((one) => one !== null)).sort();
  const steps = sorted.filter((_, index) => index % STEP === 0);
  return {
    placeOf: (value) => {
      if (value === null || sorted.length === 0) return 0.5;
      const after = STEP * countBelow(steps, value, false, 0, steps.length);
      const below = countBelow(sorted, value, false, Math.max(0, after - STEP), Math.min(after, sorted.length));
      const through = sorted[below] === value ? countBelow(sorted, value, true, below, sorted.length) : below;
      return (below + through) / 2 / sorted.length;
    },
  };
}

/** How many are below the value, or at it too; they are known to be between so many. */
function countBelow(sorted: Float64Array, value: number, isInclusive: boolean, least: number, most: number): number {
  let low = least;
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (isInclusive && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
