import { describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import type { CallerError } from "../../src/definition/errors.ts";
import { MAX_LIST } from "../../src/definition/param.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { SAMPLE_PARAMS } from "../fixtures/sample-rows.ts";

const NOW = Date.parse("2026-11-26T23:59:59.999Z");

const ofAgent = (agentId: number) => datasets.find((one) => one.agentId === agentId) ?? expect.fail();
const read = (agentId: number, sent: Record<string, string>, mode: "strict" | "compatible" = "strict") =>
  parseParams(ofAgent(agentId), { ...SAMPLE_PARAMS[agentId], ...sent }, "reject", { mode, nowMs: NOW });

function problemOf(ask: () => unknown): CallerError {
  try {
    ask();
  } catch (cause) {
    return cause as CallerError;
  }
  return expect.fail("was not refused");
}

describe.each(["strict", "compatible"] as const)("in %s mode", (mode) => {
  test.each([579, 581, 584, 585, 1001, 1004, 1005])(
    "%i rejects a future as_of with a message that names that day and today",
    (agentId) => {
      const { code, message } = problemOf(() => read(agentId, { as_of: "2026-11-27" }, mode));
      expect(code).toBe("INVALID_PARAMS");
      expect(message).toBe(
        "params.as_of: is in the future: expected a day up to today, 2026-11-26 (UTC), got 2026-11-27.",
      );
      expect(problemOf(() => read(agentId, { as_of: "2026-11-27T00:00:00Z" }, mode)).message).toContain("2026-11-26");
      expect(read(agentId, { as_of: "2026-11-26" }, mode).warnings).toEqual([]);
    },
  );
});

test("these are all datasets with an as_of that is not an alias of the end of a range", () => {
  const requested = datasets.filter(({ params }) => "as_of" in params).map(({ agentId }) => agentId);
  expect(requested.sort((a, b) => a - b)).toEqual([579, 581, 584, 585, 1001, 1004, 1005]);
});

test("a range may end in the future", () => {
  expect(read(1006, { end_date: "2027-01-01" }).echo).toMatchObject({ end_date: "2027-01-01" });
  expect(read(556, { end_time: "2027-01-01" }).warnings).toEqual([]);
});

test("581 returns a row for each requested wallet if no limit is given", () => {
  expect(ofAgent(581).limit.default).toBe(MAX_LIST);
});
