import fc from "fast-check";
import { expect, test } from "vitest";
import { addMicros, lessMicros, mulDivFloor, microsAt, wholeMicrosOf } from "../../src/definition/micros.ts";

/** Amounts around and beyond the points where products, quotients and numbers stop being exact. */
const size = fc.oneof(
  fc.bigInt({ min: 0n, max: 3n }),
  ...[26n, 27n, 51n, 52n, 53n, 54n].map((power) => fc.bigInt({ min: 2n ** power - 9n, max: 2n ** power + 9n })),
  ...[20n, 40n, 53n, 60n].map((power) => fc.bigInt({ min: 0n, max: 2n ** power })),
);
const signed = fc.tuple(size, fc.boolean()).map(([value, isLess]) => (isLess ? -value : value));

const isNumber = (value: bigint): boolean => Number.isSafeInteger(Number(value));
const narrow = (value: bigint): number | bigint => (isNumber(value) ? Number(value) : value);
/** The amount in every form in which it may be passed. */
const forms = (value: bigint): (number | bigint)[] => (isNumber(value) ? [Number(value), value] : [value]);

function floored(a: bigint, b: bigint, c: bigint): bigint {
  const rest = (((a * b) % c) + c) % c;
  return (a * b - rest) / c;
}

test("rounds a·b/c down exactly as big integers do, and returns a number if it is a safe integer", () => {
  fc.assert(
    fc.property(signed, size, size, (first, b, third) => {
      const c = third + 1n;
      // Quotients near an integer, on both sides of it, in addition to random ones.
      for (const a of [first, b === 0n ? first : (first * c) / b]) {
        const expected = narrow(floored(a, b, c));
        for (const formA of forms(a)) expect(mulDivFloor(formA, narrow(b), narrow(c))).toBe(expected);
        expect(mulDivFloor(narrow(a), b, c)).toBe(expected);
      }
    }),
    { numRuns: 20_000 },
  );
});

test("sums and differences are exact, and numbers if they are safe integers", () => {
  fc.assert(
    fc.property(signed, signed, (a, b) => {
      for (const one of forms(a)) {
        for (const other of forms(b)) {
          expect(addMicros(one, other)).toBe(narrow(a + b));
          expect(lessMicros(one, other)).toBe(narrow(a - b));
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test("rounds nothing when reading", () => {
  fc.assert(
    fc.property(signed, (value) => {
      expect(wholeMicrosOf(String(value))).toBe(narrow(value));
      const view = new DataView(new ArrayBuffer(9));
      view.setBigInt64(1, value, true);
      expect(microsAt(view, 1)).toBe(narrow(value));
    }),
    { numRuns: 2000 },
  );
});
