export type Ranking = {
  /** Share of the pool below a value, those equal to it counted half, 0 to 1; one half for null. */
  readonly placeOf: (value: number | null) => number;
};

/** Percentiles within a pool; nulls are left out of it. */
export function percentiles(pool: ArrayLike<number | null>): Ranking {
  const sorted = Float64Array.from(Array.from(pool).filter((one) => one !== null)).sort();
  return {
    placeOf: (value) => {
      if (value === null || sorted.length === 0) return 0.5;
      const below = countBelow(sorted, value, false, 0);
      const through = sorted[below] === value ? countBelow(sorted, value, true, below) : below;
      return (below + through) / 2 / sorted.length;
    },
  };
}

/** How many are below the value, or at it too; at least so many are known to be. */
function countBelow(sorted: Float64Array, value: number, isInclusive: boolean, least: number): number {
  let low = least;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at = sorted[middle] ?? 0;
    if (at < value || (isInclusive && at === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
