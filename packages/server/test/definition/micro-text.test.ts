import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { microText } from "../../src/definition/value-text.ts";

describe("microText", () => {
  test.each([
    [0n, "0"],
    [1n, "0.000001"],
    [-1n, "-0.000001"],
    [1_500_000n, "1.5"],
    [-1_000_000n, "-1"],
    [10n, "0.00001"],
    [9_007_199_254_740_991n, "9007199254.740991"],
    [9_007_199_254_740_992n, "9007199254.740992"],
    [-123_456_789_012_345_678_900_000n, "-123456789012345678.9"],
  ])("writes %d as %s", (micro, text) => expect(microText(micro)).toBe(text));

  test("writes every amount exactly and in its shortest form", () => {
    fc.assert(
      fc.property(fc.oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 55n), max: 2n ** 55n })), (micro) => {
        const text = microText(micro);
        const [whole = "", part = ""] = text.replace("-", "").split(".");
        const size = BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
        expect(text.startsWith("-") ? -size : size).toBe(micro);
        expect(part.endsWith("0") || text.endsWith(".")).toBe(false);
      }),
    );
  });
});
