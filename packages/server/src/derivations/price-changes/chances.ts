/** √(2/π): the mean of the absolute value of a standard normal. */
export const MEAN_ABSOLUTE = Math.sqrt(2 / Math.PI);

/** Returns the rate itself if it is so small that 1 − exp(−rate) would lose its digits. */
const chanceOf = (rate: number): number => (rate < 1e-6 ? rate : 1 - Math.exp(-rate));

/**
 * Lee and Mykland (2008): chance that the largest of `n` returns without jumps is as large as `statistic` = |r|/σ̂,
 * with σ̂² the bipower variation without its factor π/2. Gumbel: 1 − exp(−exp(−(L − C_n)/S_n)).
 */
export function leeMyklandP(statistic: number, n: number): number {
  const root = Math.sqrt(2 * Math.log(n));
  const middle = root / MEAN_ABSOLUTE - (Math.log(Math.PI) + Math.log(Math.log(n))) / (2 * MEAN_ABSOLUTE * root);
  return chanceOf(Math.exp(-(statistic - middle) * MEAN_ABSOLUTE * root));
}

/** Allowance subtracted from each standardised return: half of the drift to detect, in scales per bucket. */
export const CUSUM_ALLOWANCE = 1;

/**
 * Chance that Page's cumulative sum, to either side, gets as high as `height` within `n` standardised returns without
 * drift: 1 − exp(−2n/ARL), with Siegmund's run length ARL = (exp(2kh) − 2kh − 1)/(2k²), h = height + 1.166.
 */
export function cusumP(height: number, n: number): number {
  const reach = Math.min(2 * CUSUM_ALLOWANCE * (height + 1.166), 700);
  return chanceOf((4 * CUSUM_ALLOWANCE * CUSUM_ALLOWANCE * n) / (Math.exp(reach) - reach - 1));
}
