import { expect, test } from "vitest";
import { readWhole } from "../../src/main/backup/moved.ts";

test("a whole-number option is read in decimal digits", () => {
  expect(readWhole("keep", undefined, 100)).toBeUndefined();
  expect(readWhole("keep", "14", 100)).toBe(14);
});

test.each(["0x10", "1e1", " 5", "5.0", "+5", "0", "101", ""])("%j is no whole number from 1 to 100", (text) => {
  expect(() => readWhole("keep", text, 100)).toThrow(`--keep is ${text}: expected a whole number from 1 to 100`);
});
