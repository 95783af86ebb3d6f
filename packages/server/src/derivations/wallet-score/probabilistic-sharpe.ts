import { normalCdf } from "./normal-cdf.ts";

export const LEAST_DAYS = 3;

/**
 * Probability that the true Sharpe ratio of these returns is above 0 (Bailey and López de Prado 2012):
 * Φ[SR·√(T − 1) / √(1 − γ₃·SR + ((γ₄ − 1)/4)·SR²)], SR a day's mean over its standard deviation.
 * Null with fewer than three returns or where they do not differ. Of the first so many.
 */
export function probabilisticSharpe(returns: Float64Array, count = returns.length): number | null {
  if (count < LEAST_DAYS) return null;
  let sum = 0;
  for (let place = 0; place < count; place += 1) sum += returns[place] ?? 0;
  const mean = sum / count;
  let [squares, cubes, fourths] = [0, 0, 0];
  for (let place = 0; place < count; place += 1) {
    const off = (returns[place] ?? 0) - mean;
    const square = off * off;
    squares += square;
    cubes += square * off;
    fourths += square * square;
  }
  const second = squares / count;
  if (second < 1e-24) return null;
  const skewness = cubes / count / second ** 1.5;
  const kurtosis = fourths / count / second ** 2;
  const sharpe = mean / Math.sqrt((second * count) / (count - 1));
  const spread = 1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe ** 2;
  return normalCdf((sharpe * Math.sqrt(count - 1)) / Math.sqrt(Math.max(spread, 1e-6)));
}
