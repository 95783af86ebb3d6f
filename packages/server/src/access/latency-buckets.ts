/** Bucket → number of times in it. Counts of several lines, days or nodes are summed per bucket. */
export type TimeCounts = ReadonlyMap<number, number>;

/** Maximum relative error of a reported quantile from 0.25 ms to 60 s; below, the error is at most 0.25 ms. */
export const RELATIVE_ERROR = 0.05;

const FIRST_MS = 0.25;
const LAST_MS = 60_000;
const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);
const LAST_BUCKET = Math.ceil(Math.log(LAST_MS / FIRST_MS) / Math.log(GROWTH));

/**
 * The bucket of a time. Bucket 0 ends at 0.25 ms and each further one at 1.05/0.95 of the one before, so that its
 * middle is within 5 % of all its times. The last one includes all longer times. Stored: must never change.
 */
export function bucketOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  return Math.min(LAST_BUCKET, Math.ceil(Math.log(ms / FIRST_MS) / Math.log(GROWTH)));
}

/** The least time (ms) not exceeded by this share of all, by nearest rank; null if there are none. */
export function quantileOf(counts: TimeCounts, share: number): number | null {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(share * total));
  for (const [bucket, count] of sorted) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return middleOf(sorted.at(-1)?.[0] ?? 0);
}

const middleOf = (bucket: number): number =>
  bucket === 0 ? FIRST_MS : (FIRST_MS * 2 * GROWTH ** bucket) / (GROWTH + 1);
