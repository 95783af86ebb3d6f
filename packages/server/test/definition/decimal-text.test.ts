import fc from "fast-check";
import { expect, test } from "vitest";
import { fixedMicros, fixedText, roundedParts } from "../../src/definition/decimal-text.ts";

const halves = fc.tuple(fc.maxSafeInteger(), fc.nat(6)).map(([number, places]) => {
  const unit = 10 ** places;
  return Math.trunc(number / unit / 4) * unit + unit / 2;
});

test("millionths as a number are printed as integers of any size are, halves away from zero", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.maxSafeInteger(),

        fc.integer({ min: -2_000_000, max: 2_000_000 }),
        halves.map(Math.trunc),
      ),
      fc.nat(6),
      (micros, places) => {
        expect(fixedMicros(micros, places)).toBe(fixedText(roundedParts(BigInt(micros), 6, places), places));
      },
    ),
    // With half a unit more it is beyond the numbers that are exact.
    { examples: [[9_007_199_254_740_949, 4]] },
  );
});
