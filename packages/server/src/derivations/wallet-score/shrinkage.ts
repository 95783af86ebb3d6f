/** A wallet's mean edge, the mean it is shrunk to, and its model variance before scaling. */
export type EdgeOfWallet = { readonly mean: number; readonly prior: number; readonly variance: number };

/** Between-wallet variance is at least this: below, ranks would hang on rounding. */
export const LEAST_BETWEEN = 0.002 ** 2;
const MOST_BETWEEN = 1;
const STEPS = 60;
/** Standard normal quantile of 0.9. */
export const LOWER_TENTH = 1.281_551_565_5;

/**
 * Variance between wallets beyond what their samples explain (Paule and Mandel 1982): the τ² at which
 * Σ (mean − prior)² / (variance + τ²) is the number of wallets less one.
 */
export function betweenVariance(wallets: readonly EdgeOfWallet[]): number {
  let low = LEAST_BETWEEN;
  let high = MOST_BETWEEN;
  if (wallets.length < 2) return low;
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (const { mean, prior, variance } of wallets) sum += (mean - prior) ** 2 / (variance + middle);
    if (sum > wallets.length - 1) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The shrunk edge, edge·n/(n + k) toward the prior with k = n·variance/τ², and the lower 10 % bound of what it leaves
 * open (normal, with the variance that is left).
 */
export function shrink(edge: EdgeOfWallet, between: number): { shrunk: number; low: number } {
  const keeps = between / (between + edge.variance);
  const shrunk = edge.prior + keeps * (edge.mean - edge.prior);
  return { shrunk, low: shrunk - LOWER_TENTH * Math.sqrt(keeps * edge.variance) };
}
