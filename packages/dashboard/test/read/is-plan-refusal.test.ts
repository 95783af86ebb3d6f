import { expect, test } from "vitest";
import { ConsoleProblem } from "../../src/api/console-problem.ts";
import { isPlanRefusal } from "../../src/read/dataset-queries.ts";

test("isPlanRefusal accepts only a 403 that has no other cause", () => {
  const refused = { status: 403, code: "FORBIDDEN", message: "No." };
  expect(isPlanRefusal(new ConsoleProblem(refused))).toBe(true);
  const details = [{ path: "x-csrf-token", problem: "not of this session" }];
  expect(isPlanRefusal(new ConsoleProblem({ ...refused, details }))).toBe(false);
  expect(isPlanRefusal(new ConsoleProblem({ ...refused, code: "PASSWORD_CHANGE_REQUIRED" }))).toBe(false);
  expect(isPlanRefusal(null)).toBe(false);
});
