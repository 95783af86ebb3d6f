import { expect, test } from "vitest";
import { nearestName } from "../../src/query/read-texts.ts";

const KNOWN = ["proxy_wallet", "start_time", "min_usd", "side"];

test.each([
  ["strat_time", "start_time"],
  ["startTime", "start_time"],
  ["min_us", "min_usd"],
  ["wallet", "proxy_wallet"],
  ["sied", "side"],
  ["tz", undefined],
  ["resolution", undefined],
  ["x".repeat(500), undefined],
])("the nearest name to %s is %s", (name, near) => {
  expect(nearestName(name, KNOWN)).toBe(near);
});
