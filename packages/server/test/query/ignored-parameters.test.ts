import { expect, test } from "vitest";
import { datasets } from "../../src/catalogue.ts";
import { parseParams } from "../../src/query/parse-params.ts";
import { hex } from "../fixtures/sample-rows.ts";

const [TOKEN, CONDITION] = ["12345", hex(1)];
const start = { start_time: "2026-06-01" };

const warningsOf = (agentId: number, params: Readonly<Record<string, string>>): readonly string[] => {
  const dataset = datasets.find((one) => one.agentId === agentId);
  if (dataset === undefined) throw new Error(`no dataset ${agentId}`);
  return parseParams(dataset, params, "reject", { nowMs: Date.parse("2026-07-01T00:00:00Z") }).warnings;
};

test.each([
  [556, { lookback_seconds: "60" }, start],
  [556, { window_days: "1" }, start],
  [568, { market_slug: "rain-1" }, { token_id: TOKEN }],
  [572, { market_slug: "rain-1" }, { token_id: TOKEN }],
  [585, { market_slug: "rain-1" }, { condition_id: CONDITION }],
  [596, { lookback_hours: "6" }, start],
  [1007, { hours_back: "6" }, { ...start, condition_id: CONDITION }],
])("%i warns that %j is ignored beside %j alone", (agentId, ignored, preferred) => {
  const [name = ""] = Object.keys(ignored);
  const [by = ""] = Object.keys(preferred);
  const reason = `params.${name}: was ignored, because ${by} takes precedence`;
  expect(warningsOf(agentId, { ...ignored, ...preferred })).toEqual([reason]);
  expect(warningsOf(agentId, { ...preferred, [name]: "" })).toEqual([]);
});

test.each([
  [596, "lookback_hours", start],
  [1007, "hours_back", { ...start, condition_id: CONDITION }],
])("%i does not warn of a default of %s that a start replaces", (agentId, name, preferred) => {
  expect(warningsOf(agentId, { ...preferred, [name]: "ALL" })).toEqual([
    `params.${name}: ALL is not a valid value; start_time takes precedence over the default`,
  ]);
});
