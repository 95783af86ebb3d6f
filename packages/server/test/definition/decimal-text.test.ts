import fc from "fast-check";
import { expect, test } from "vitest";
import { fixedMicros, fixedText, roundedParts } from "../../src/definition/value-text.ts";

const halves = fc.tuple(fc.maxSafeInteger(), fc.nat(6)).map(([number, places]) => {
  const unit = 10 ** places;
  return Math.trunc(number / unit / 4) * unit + unit / 2;
});

test("prints millionths given as numbers exactly as big integers, rounding halves away from zero", () => {
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
    // Adding half a unit exceeds the range of exact integers.
    { examples: [[9_007_199_254_740_949, 4]] },
  );
});
