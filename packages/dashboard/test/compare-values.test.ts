import { describe, expect, it } from "vitest";
import { compareDecimals, compareValues } from "../src/ui/table-column.ts";

describe("the order of a table's cells", () => {
  it("distinguishes decimals that a float cannot", () => {
    expect(compareDecimals("9007199254740993", "9007199254740992")).toBe(1);
    expect(compareDecimals("0.1000000000000000000001", "0.1")).toBe(1);
    expect(compareDecimals("-0.1000000000000000000001", "-0.1")).toBe(-1);
  });

  it("treats decimals of equal value as equal however they are written", () => {
    expect(compareDecimals("1.50", "+01.5")).toBe(0);
    expect(compareDecimals("-0", "0.00")).toBe(0);
    expect(compareDecimals(".5", "0.5")).toBe(0);
  });

  it("does not treat words, dates or empty strings as decimals", () => {
    for (const text of ["", "-", ".", "abc", "2026-01-02", "1e5"]) expect(compareDecimals(text, "1")).toBeUndefined();
  });

  it("sorts as a reader expects", () => {
    expect(["10", "9", "-3", "0.5"].toSorted(compareValues)).toEqual(["-3", "0.5", "9", "10"]);
    expect(["b10", "B9", "a"].toSorted(compareValues)).toEqual(["a", "B9", "b10"]);
    expect([3, 1n, 2].toSorted(compareValues)).toEqual([1n, 2, 3]);
  });
});
