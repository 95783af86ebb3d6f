import { describe, expect, test } from "vitest";
import { cusumP, leeMyklandP } from "../../src/derivations/price-changes/moves.ts";

describe("Lee-Mykland test", () => {
  // n = 96: √(2 ln n) = 3.0213733, C_n = 3.2344011, S_n = 0.4148161; ξ = (L − C_n)/S_n; p = 1 − exp(−e^−ξ).
  test.each([
    { statistic: 3, n: 96, p: 0.8278820152 },
    { statistic: 5, n: 96, p: 0.0140740801 },
    { statistic: 4, n: 12, p: 0.0410294717 },
  ])("p of $statistic among $n is $p", ({ statistic, n, p }) => {
    expect(leeMyklandP(statistic, n)).toBeCloseTo(p, 9);
  });

  test("rejects at 1 % for ξ = 4.6001, as in the paper", () => {
    const p = leeMyklandP(3.2344010821 + 0.4148160552 * 4.6001492268, 96);
    expect(p).toBeCloseTo(0.01, 6);
  });

  test("keeps its precision where 1 − exp(−x) loses all digits", () => {
    const p = leeMyklandP(20, 96);
    expect(p / 2.7999000069e-18).toBeCloseTo(1, 6);
  });
});

describe("cumulative sum (CUSUM) test", () => {
  // h = height + 1.166; ARL = (e^2h − 2h − 1)/2 = 35.382 for 1, 15344.06 for 4; p = 1 − exp(−2n/ARL).
  test.each([
    { height: 1, n: 96, p: 0.9956013736 },
    { height: 4, n: 96, p: 0.0124350246 },
  ])("p of $height within $n is $p", ({ height, n, p }) => {
    expect(cusumP(height, n)).toBeCloseTo(p, 9);
  });

  test("stays positive and finite for very large heights", () => {
    expect(cusumP(15, 50) / 1.8172756472e-12).toBeCloseTo(1, 6);
    expect(cusumP(1e6, 50)).toBeGreaterThan(0);
  });
});
