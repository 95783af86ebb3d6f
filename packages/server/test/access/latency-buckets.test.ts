import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RELATIVE_ERROR, bucketOf, quantileOf } from "../../src/access/latency-buckets.ts";

const countsOf = (times: readonly number[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const ms of times) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
  return counts;
};

/** Nearest rank. */
const exactQuantile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(share * times.length)) - 1] ?? Number.NaN;

/** From 0.05 ms to one minute, each order of magnitude equally likely. */
const time = fc.double({ min: Math.log(0.05), max: Math.log(60_000), noNaN: true }).map((power) => Math.exp(power));
const times = fc.array(time, { minLength: 1, maxLength: 500, size: "max" });
const share = fc.constantFrom(0.01, 0.5, 0.95, 0.99, 1);

describe("latency buckets", () => {
  test("report every quantile within 5 %, and below 0.25 ms within 0.25 ms", () => {
    fc.assert(
      fc.property(times, share, (taken, part) => {
        const exact = exactQuantile(taken, part);
        const reported = quantileOf(countsOf(taken), part) ?? Number.NaN;
        expect(Math.abs(reported - exact)).toBeLessThanOrEqual(Math.max(0.25, exact * (RELATIVE_ERROR + 1e-9)));
        if (exact > 0.25) expect(Math.abs(reported / exact - 1)).toBeLessThanOrEqual(RELATIVE_ERROR + 1e-9);
      }),
      { numRuns: 500 },
    );
  });

  test("never decrease as times grow, and are few", () => {
    let last = 0;
    for (let ms = 0; ms < 70_000; ms = ms * 1.01 + 0.01) {
      const bucket = bucketOf(ms);
      expect(bucket).toBeGreaterThanOrEqual(last);
      expect(bucket - last).toBeLessThanOrEqual(1);
      last = bucket;
    }
    expect(last).toBe(124);
    expect(bucketOf(Number.MAX_VALUE)).toBe(124);
    expect(bucketOf(Number.NaN)).toBe(0);
  });

  test("keep their bounds, because a stored bucket number must always mean the same", () => {
    expect([0.25, 0.26, 1, 10, 100, 1000, 60_000].map(bucketOf)).toEqual([0, 1, 14, 37, 60, 83, 124]);
  });

  test("have no quantile if empty", () => {
    expect(quantileOf(new Map(), 0.5)).toBeNull();
  });
});
