/**
 * Standard normal distribution function, right to 1.5e-7 (Abramowitz and Stegun 7.1.26, error function by a polynomial).
 */
export function normalCdf(x: number): number {
  const z = Math.abs(x) / Math.SQRT2;
  const t = 1 / (1 + 0.327_591_1 * z);
  const sum =
    t * (0.254_829_592 + t * (-0.284_496_736 + t * (1.421_413_741 + t * (-1.453_152_027 + t * 1.061_405_429))));
  const tail = (sum * Math.exp(-z * z)) / 2;
  return x >= 0 ? 1 - tail : tail;
}
