import { expect, test } from "vitest";
import { leaksIn } from "./leaks.ts";

test("a name of what the service is made with is a leak, in any case and inside a longer name", () => {
  expect(leaksIn("ZodError at key", "")).toEqual(["Zod"]);
  expect(leaksIn('{"message":"CLICKHOUSE said no"}', "")).toEqual(["CLICKHOUSE"]);
  expect(leaksIn("toDecimal128OrNull", "")).toEqual(["toDecimal128OrNull"]);
});

test("three letters in a cursor are none, nor is what the request said", () => {
  expect(leaksIn('{"next_cursor":"eyJ2IjoxzODk5fQ.8zOD0fQw"}', "")).toEqual([]);
  expect(leaksIn('unknown parameter "zod"', "zod")).toEqual([]);
});
