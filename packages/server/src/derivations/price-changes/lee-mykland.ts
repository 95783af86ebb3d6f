/** √(2/π): the mean of the absolute value of a standard normal. */
export const MEAN_ABSOLUTE = Math.sqrt(2 / Math.PI);

/** Of a rate so small that 1 − exp(−rate) would lose its digits, the rate itself. */
export const chanceOf = (rate: number): number => (rate < 1e-6 ? rate : 1 - Math.exp(-rate));

/**
 * Lee and Mykland (2008): chance that the largest of `n` returns without jumps is as large as `statistic` = |r|/σ̂,
 * with σ̂² the bipower variation without its factor π/2. Gumbel: 1 − exp(−exp(−(L − C_n)/S_n)).
 */
export function leeMyklandP(statistic: number, n: number): number {
  const root = Math.sqrt(2 * Math.log(n));
  const middle = root / MEAN_ABSOLUTE - (Math.log(Math.PI) + Math.log(Math.log(n))) / (2 * MEAN_ABSOLUTE * root);
  return chanceOf(Math.exp(-(statistic - middle) * MEAN_ABSOLUTE * root));
}
