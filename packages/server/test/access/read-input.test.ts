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

test("wrong values are described without the library's words, and a schema's own message stays", () => {
  const schema = z.strictObject({
    short: z.string().min(3).optional(),
    long: z.string().max(3).optional(),
    few: z.array(z.string()).min(1).optional(),
    many: z.array(z.string()).max(1).optional(),
    small: z.number().min(1).optional(),
    large: z.int().max(5).optional(),
    either: z.enum(["a", "b"]).optional(),
    kind: z.string().optional(),
    own: z.string().min(12, "needs 12 characters").optional(),
  });
  const input = { short: "", long: "abcd", few: [], many: ["", ""], small: 0, large: 9, either: "c", kind: 1, own: "" };
  expect(() => readInput(schema, { ...input, other: 1 })).toThrow(
    [
      "short: is too short: expected 3 or more characters",
      "long: is too long: expected 3 or fewer characters",
      "few: has too few items: expected 1 or more",
      "many: has too many items: expected 1 or fewer",
      "small: is too small: expected >= 1",
      "large: is too large: expected <= 5",
      'either: expected one of "a"|"b"',
      "kind: expected string, got number",
      "own: needs 12 characters",
      'input: has unknown fields: "other"',
    ].join("; "),
  );
});
