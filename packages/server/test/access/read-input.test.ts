import { expect, test } from "vitest";
import { z } from "zod";
import { readInput } from "../../src/access/access-error.ts";

const read = (): unknown => readInput(z.strictObject({ name: z.string() }), {});

test("a field that is not there is missing, not undefined", () => {
  expect(read).toThrow("name: is missing: expected string");
});
