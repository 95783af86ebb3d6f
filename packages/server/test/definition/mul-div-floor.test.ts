import fc from "fast-check";
import { expect, test } from "vitest";
import { addMicros, lessMicros } from "../../src/definition/add-micros.ts";
import { mulDivFloor } from "../../src/definition/mul-div-floor.ts";
import { microsAt, wholeMicrosOf } from "../../src/definition/read-micros.ts";

/** Where products, quotients and numbers stop to be exact, and what is beyond. */
const size = fc.oneof(
  fc.bigInt({ min: 0n, max: 3n }),
  ...[26n, 27n, 51n, 52n, 53n, 54n].map((power) => fc.bigInt({ min: 2n ** power - 9n, max: 2n ** power + 9n })),
  ...[20n, 40n, 53n, 60n].map((power) => fc.bigInt({ min: 0n, max: 2n ** power })),
);
const signed = fc.tuple(size, fc.boolean()).map(([value, isLess]) => (isLess ? -value : value));

const isNumber = (value: bigint): boolean => Number.isSafeInteger(Number(value));
const narrow = (value: bigint): number | bigint => (isNumber(value) ? Number(value) : value);
/** In each way that an amount may come. */
const forms = (value: bigint): (number | bigint)[] => (isNumber(value) ? [Number(value), value] : [value]);

function floored(a: bigint, b: bigint, c: bigint): bigint {
  const rest = (((a * b) % c) + c) % c;
  return (a * b - rest) / c;
}

test("a·b/c is rounded down as integers of any size are, and is a number where it is one", () => {
  fc.assert(
    fc.property(signed, size, size, (first, b, third) => {
      const c = third + 1n;
      // Quotients near a whole number, on both sides of it, beside those by chance.
      for (const a of [first, b === 0n ? first : (first * c) / b]) {
        const expected = narrow(floored(a, b, c));
        for (const formA of forms(a)) expect(mulDivFloor(formA, narrow(b), narrow(c))).toBe(expected);
        expect(mulDivFloor(narrow(a), b, c)).toBe(expected);
      }
    }),
    { numRuns: 20_000 },
  );
});

test("sums and differences are exact, and numbers where they are ones", () => {
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

test("nothing is rounded when it is read", () => {
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
