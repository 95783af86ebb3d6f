import { expect, test } from "vitest";
import { z } from "zod";
import { AccessError, readInput } from "../../src/access/access-error.ts";

const read = (): unknown => readInput(z.strictObject({ name: z.string() }), {});

test("reports an absent field as missing, not undefined", () => {
  expect(read).toThrow("name: is missing: expected string");
});

test("truncates a long value in an error message", () => {
  const { message } = new AccessError("not_found", `no plan is named ${"x".repeat(100_000)}`);
  expect(message).toHaveLength(1001);
  expect(message).toMatch(/^no plan is named x+…$/);
});
