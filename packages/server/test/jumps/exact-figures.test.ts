import { expect, test } from "vitest";
import { seededRandom } from "../../../../scripts/vitest/seed.ts";
import { changePct } from "../../src/derivations/price-changes/write-change.ts";
import { ExactSums } from "../../src/derivations/price-changes/exact-sums.ts";

const draw = seededRandom();

/** Decimal arithmetic: a quotient truncated to twelve places, and the percent rounded to six, halves away from zero. */
function percent(from: bigint, to: bigint): bigint {
  const change = ((to * 10n ** 12n) / from - 10n ** 12n) * 100n;
  const size = change < 0n ? -change : change;
  const rounded = (size + 500_000n) / 1_000_000n;
  return change < 0n ? -rounded : rounded;
}

test.each([100, 1_000_000, 1e9, 1e13])("computes exact changes of prices up to %d millionths", (most) => {
  for (let each = 0; each < 20_000; each += 1) {
    const [from, to] = [1 + Math.floor(draw() * most), Math.floor(draw() * most)];
    expect(BigInt(changePct(from, to)), `${from} ${to}`).toBe(percent(BigInt(from), BigInt(to)));
  }
});

test("computes exact sums of runs, rounded only once to a number", () => {
  const [sums, values] = [
    new ExactSums(),
    Array.from({ length: 3000 }, () => BigInt(Math.floor(draw() * 2 ** 53)) * 512n),
  ];
  for (const value of values) sums.addHalves(Number(value >> 32n), Number(value & 0xffff_ffffn));
  for (let each = 0; each < 200; each += 1) {
    const [one, other] = [Math.floor(draw() * 3000), Math.floor(draw() * 3000)];
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const sum = values.slice(from, to).reduce((all, value) => all + value, 0n);
    expect(BigInt(sums.exactly(from, to))).toBe(sum);
    expect(sums.between(from, to)).toBe(Number(sum));
  }
});
