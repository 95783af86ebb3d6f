import { chanceOf } from "./lee-mykland.ts";

/** What a standardised return must exceed to add to the sum: half of the drift looked for, in scales a bucket. */
export const CUSUM_ALLOWANCE = 1;

/**
 * Chance that Page's cumulative sum, to either side, gets as high as `height` within `n` standardised returns without
 * drift: 1 − exp(−2n/ARL), with Siegmund's run length ARL = (exp(2kh) − 2kh − 1)/(2k²), h = height + 1.166.
 */
export function cusumP(height: number, n: number): number {
  const reach = Math.min(2 * CUSUM_ALLOWANCE * (height + 1.166), 700);
  return chanceOf((4 * CUSUM_ALLOWANCE * CUSUM_ALLOWANCE * n) / (Math.exp(reach) - reach - 1));
}
