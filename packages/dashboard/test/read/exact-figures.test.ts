import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addDecimals,
  groupDecimal,
  parseDecimal,
  printDecimal,
  showFigure,
  toPercent,
  toPixelNumber,
} from "../../src/read/exact-figures.ts";

const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => ({ units, scale }));

describe("decimal strings", () => {
  test("are parsed and printed without losing a digit", () => {
    fc.assert(
      fc.property(decimals, (one) => {
        expect(parseDecimal(printDecimal(one))).toEqual(one);
      }),
    );
  });
  test("are added exactly, whatever their scales", () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const sum = addDecimals(left, right);
        const widest = 10n ** 18n;
        const at = ({ units, scale }: { units: bigint; scale: number }): bigint =>
          (units * widest) / 10n ** BigInt(scale);
        expect(at(sum)).toBe(at(left) + at(right));
      }),
    );
  });
  test("are not parsed from exponents, blanks or words", () => {
    for (const text of ["1e5", "", "NaN", "1.", ".5", "0x1", "1,000"]) expect(parseDecimal(text)).toBeUndefined();
  });
  test("lose only trailing zeros if printed short", () => {
    expect(printDecimal({ units: 1200n, scale: 3 }, true)).toBe("1.2");
    expect(printDecimal({ units: 1000n, scale: 3 }, true)).toBe("1");
    expect(printDecimal({ units: -5n, scale: 3 })).toBe("-0.005");
  });
});

describe("groupDecimal", () => {
  test("keeps every digit and only inserts thousands separators", () => {
    expect(groupDecimal("1234567.891000")).toBe("1,234,567.891000");
    expect(groupDecimal("-1000")).toBe("−1,000");
    expect(groupDecimal("999.999999")).toBe("999.999999");
    fc.assert(
      fc.property(decimals, (one) => {
        const text = printDecimal(one);
        expect(groupDecimal(text).replaceAll(",", "").replace("−", "-")).toBe(text);
      }),
    );
  });
  test("leaves text that is no decimal unchanged", () => {
    expect(groupDecimal("0xabc")).toBe("0xabc");
    expect(groupDecimal("hello 1234")).toBe("hello 1234");
  });
});

test("a share in percent keeps its digits", () => {
  expect(["0.181732", "-0.0295", "1.880154", "0.5", "2", "0", "1e-9"].map(toPercent)).toEqual([
    "18.1732",
    "-2.95",
    "188.0154",
    "50",
    "200",
    "0",
    "1e-9",
  ]);
});

describe("showFigure", () => {
  test("shows decimal strings in full, floats to six places, and null as a dash", () => {
    expect(showFigure("12345678901234567890.123456")).toBe("12,345,678,901,234,567,890.123456");
    expect(showFigure(0.1 + 0.2)).toBe("0.3");
    expect(showFigure(1234.5)).toBe("1,234.5");
    expect(showFigure(100)).toBe("100");
    expect(showFigure(null)).toBe("–");
    expect(showFigure(Number.NaN)).toBe("–");
    expect(showFigure(true)).toBe("yes");
  });
  test("keeps all digits of large floats, and the sign of none that is shown as zero", () => {
    expect(showFigure(1e21)).toBe("1,000,000,000,000,000,000,000");
    expect(showFigure(-1e22)).toBe("−10,000,000,000,000,000,000,000");
    expect(showFigure(-0.0000001)).toBe("0");
    expect(showFigure(-0.0000015)).toBe("−0.000002");
  });
});

test("toPixelNumber does not treat null or empty text as zero", () => {
  expect(toPixelNumber(null)).toBeNull();
  expect(toPixelNumber("")).toBeNull();
  expect(toPixelNumber("x")).toBeNull();
  expect(toPixelNumber("0.25")).toBe(0.25);
});
