import { seededRandom } from "../../vitest/seed.ts";

/** Draws among `of` items by a Zipf distribution: the k-th is drawn 1/k as often as the first. */
export function zipfDraws(seed: number, of: number, draws: number): Uint32Array {
  const sums = new Float64Array(of);
  for (let rank = 0, sum = 0; rank < of; rank += 1) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  const next = seededRandom(seed);
  const whole = sums[of - 1] ?? 0;
  return Uint32Array.from({ length: draws }, () => firstAbove(sums, next() * whole));
}

/** Index of the first of these ascending numbers that exceeds a value. */
function firstAbove(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
