import { describe, expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { type Caller, mayRead } from "../../src/access/caller.ts";
import type { PlanDatasets } from "../../src/records/schema.ts";

function caller(plan: PlanDatasets, own: readonly number[] | null = null): Caller {
  return {
    keyId: "k",
    keyPace: null,
    prefix: "p",
    accountId: "a",
    datasets: own,
    mode: "strict",
    plan: {
      name: "x",
      requestsPerMinute: 1,
      burst: 1,
      maxPage: 1,
      maxList: 1,
      atOnce: 1,
      keyAtOnce: 1,
      datasets: plan,
    },
  };
}

describe("mayRead", () => {
  test.each([
    ["all", null, 556, "enterprise", true],
    [["free"], null, 556, "free", true],
    [["free"], null, 556, "pro", false],
    [["free", "pro"], null, 556, "pro", true],
    [["free", 574], null, 574, "enterprise", true],
    [["free", 574], null, 575, "enterprise", false],
    [[], null, 556, "free", false],
    ["all", [556], 556, "free", true],
    ["all", [556], 574, "free", false],
    ["all", [], 574, "free", false],
    // A key's own list narrows, it never widens.
    [["free"], [574], 574, "pro", false],
    // A number as a plan's name must not pass for an agent id.
    [["574"], null, 574, "free", false],
  ] as const)("plan %j, key %j, dataset %i available from plan %s: %s", (plan, own, agentId, from, expected) => {
    expect(mayRead(caller(plan, own), { agentId, plan: from })).toBe(expected);
  });

  test.each([
    [[1006], false],
    [[584], false],
    [[584, 1006], true],
  ])("a key for %j may read a dataset that goes with another: %s", (own, expected) => {
    const [score, history] = [584, 1006].map((agentId) => datasets.find((one) => one.agentId === agentId));
    expect(history?.goesWith).toBe(score);
    expect(history && mayRead(caller("all", own), history)).toBe(expected);
  });
});
