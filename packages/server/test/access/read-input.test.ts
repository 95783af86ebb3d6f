import { expect, test } from "vitest";
import { z } from "zod";
import { AccessError, readInput } from "../../src/access/access-error.ts";

const read = (): unknown => readInput(z.strictObject({ name: z.string() }), {});

test("a field that is not there is missing, not undefined", () => {
  expect(read).toThrow("name: is missing: expected string");
});

test("an error repeats a long value in part", () => {
  const { message } = new AccessError("not_found", `no plan is named ${"x".repeat(100_000)}`);
  expect(message).toHaveLength(1001);
  expect(message).toMatch(/^no plan is named x+…$/);
});
