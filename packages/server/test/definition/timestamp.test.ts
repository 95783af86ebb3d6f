import { expect, test } from "vitest";
import { parseTimestamp } from "../../src/definition/timestamp.ts";
import { listItems } from "../../src/definition/param.ts";

const read = (text: string, edge: "start" | "end" = "start") => {
  const timestamp = parseTimestamp(text, edge);
  return timestamp.ok ? timestamp.engineText : timestamp.expected;
};

test("seconds, milliseconds and ISO texts of one time parse to the same timestamp", () => {
  for (const text of ["1795132800", "1795132800000", "2026-11-20T00:00:00Z", "2026-11-20T01:00+01:00", "2026-11-20"])
    expect(read(text), text).toBe("2026-11-20 00:00:00.000000");
});

test("a day as a start is its first microsecond, and as an end its last one", () => {
  expect(read("2026-11-20", "start")).toBe("2026-11-20 00:00:00.000000");
  expect(read("2026-11-20", "end")).toBe("2026-11-20 23:59:59.999999");
});

test("refuses a number that is neither seconds nor milliseconds, and an invalid day", () => {
  for (const text of ["17951328000", "1795132", "2026-02-30"]) expect(read(text), text).toContain("from 2010 to 2100");
});

test("a list may contain spaces after its commas, braces and quotes", () => {
  for (const text of ["a,b", "a, b", " {a , b} ", '{"a", "b"}']) expect(listItems(text), text).toEqual(["a", "b"]);
});
