import { expect, test } from "vitest";
import { leaksIn } from "./leaks.ts";

test("the name of a component is a leak, in any case and inside a longer name", () => {
  expect(leaksIn("ZodError at key", "")).toEqual(["Zod"]);
  expect(leaksIn('{"message":"CLICKHOUSE said no"}', "")).toEqual(["CLICKHOUSE"]);
  expect(leaksIn("toDecimal128OrNull", "")).toEqual(["toDecimal128OrNull"]);
});

test("three letters in a cursor are no leak, nor is text that the request contained", () => {
  expect(leaksIn('{"next_cursor":"eyJ2IjoxzODk5fQ.8zOD0fQw"}', "")).toEqual([]);
  expect(leaksIn('unknown parameter "zod"', "zod")).toEqual([]);
});
