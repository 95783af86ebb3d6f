// Statistics add up in the engine's order, so that they agree to the last digit.

/** Terms of the series and steps of the fraction by which erfc is exact to the last digits of a float. */
const MAX_TERMS = 200;
/** Computed by the fraction from here on, below it by the series. */
const FRACTION_FROM = 2.5;

export function sumOf(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}

export const meanOf = (values: readonly number[]): number => sumOf(values) / values.length;

/** Standard deviation of a sample, by Welford (stddevSampStable). */
export function sampleDeviation(values: readonly number[]): number {
  let [count, mean, squares] = [0, 0, 0];
  for (const value of values) {
    const off = value - mean;
    count += 1;
    mean += off / count;
    squares += off * (value - mean);
  }
  return Math.sqrt(squares / (count - 1));
}

/** Correlation (corr); NaN if one of the two is constant. */
export function correlation(xs: readonly number[], ys: readonly number[]): number {
  let [x, y, xy, xx, yy] = [0, 0, 0, 0, 0];
  for (const [place, a] of xs.entries()) {
    const b = ys[place] ?? 0;
    x += a;
    y += b;
    xy += a * b;
    xx += a * a;
    yy += b * b;
  }
  const count = xs.length;
  return (count * xy - x * y) / Math.sqrt((count * xx - x * x) * (count * yy - y * y));
}

/** Complementary error function, accurate to 1e-15. */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  return x < FRACTION_FROM ? 1 - erfBySeries(x) : erfcByFraction(x);
}

/** erf(x) = 2/√π · e^(−x²) · Σ 2ⁿ x^(2n+1) / (1·3·…·(2n+1)), all terms positive. */
function erfBySeries(x: number): number {
  let [term, sum] = [x, x];
  for (let place = 1; place < MAX_TERMS && term > sum * Number.EPSILON; place += 1) {
    term *= (2 * x * x) / (2 * place + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** erfc(x) = e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 1½/(x + …)))). */
function erfcByFraction(x: number): number {
  let rest = x;
  for (let step = MAX_TERMS; step > 0; step -= 1) rest = x + step / 2 / rest;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / rest;
}
