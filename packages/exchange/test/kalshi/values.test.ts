import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstIndex } from "../../src/world/first-index.ts";
import { toCount, toDollars, toTime } from "../../src/kalshi/reply/texts.ts";
import { Cursor, pageBack } from "../../src/kalshi/rest/paging.ts";

describe("fixed-point text", () => {
  it("keeps every digit", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), (value) => {
        expect(Math.round(Number(toDollars(value)) * 10_000)).toBe(value);
        expect(Math.round(Number(toCount(value)) * 100)).toBe(value);
        expect(toDollars(value)).toMatch(/^-?\d+\.\d{4}$/);
        expect(toCount(value)).toMatch(/^-?\d+\.\d{2}$/);
      }),
    );
  });

  it("matches the format of the real exchange", () => {
    expect([toDollars(0), toDollars(5200), toDollars(10_000), toCount(-5400), toCount(1)]).toEqual([
      "0.0000",
      "0.5200",
      "1.0000",
      "-54.00",
      "0.01",
    ]);
  });
});

describe("timestamps", () => {
  it("have only as many digits as they need", () => {
    const second = Date.UTC(2026, 0, 12, 14, 59, 36);
    expect(toTime(second)).toBe("2026-01-12T14:59:36Z");
    expect(toTime(second + 373, 150)).toBe("2026-01-12T14:59:36.37315Z");
    expect(toTime(second + 1)).toBe("2026-01-12T14:59:36.001Z");
  });

  it("parse back to the same millisecond", () => {
    const timestamp = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000_000 }), fc.integer({ min: 0, max: 999 }));
    fc.assert(
      fc.property(timestamp, ([ms, micros]) => {
        expect(Math.floor(Date.parse(toTime(ms, micros)))).toBe(ms);
      }),
    );
  });
});

const isEven = (item: number) => item % 2 === 0;

describe("pages", () => {
  it("walked to the end contain every item that passes the filter, newest first", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(99)), fc.integer({ min: 1, max: 7 }), (list, limit) => {
        const walked: number[] = [];
        for (let before: number | undefined = list.length; before !== undefined;) {
          const page: { items: number[]; last: number | undefined } = pageBack(
            list,
            { before, from: 0 },
            limit,
            isEven,
          );
          walked.push(...page.items);
          before = page.last;
        }
        expect(walked).toEqual(list.filter(isEven).toReversed());
      }),
    );
  });

  it("have cursors that only their own list accepts", () => {
    expect(new Cursor("a").readNumber(new Cursor("a").write(12))).toBe(12);
    expect(new Cursor("a").read(undefined)).toBeUndefined();
    expect(() => new Cursor("b").read(new Cursor("a").write(12))).toThrow("invalid parameters");
  });

  it("find the first item at or after a value", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50)), fc.nat(60), (values, value) => {
        const sorted = values.sort((a, b) => a - b);
        const index = sorted.findIndex((item) => item >= value);
        expect(firstIndex(sorted, value, (item) => item)).toBe(index === -1 ? sorted.length : index);
      }),
    );
  });
});
