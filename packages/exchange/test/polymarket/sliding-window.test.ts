import { expect, test } from "vitest";
import { documentedLimits, slidingWindow } from "../../src/polymarket/request-limits.ts";

test("a window slides: the first request leaves it ten seconds later", () => {
  const admit = slidingWindow([{ path: "/markets", requests: 2, seconds: 10 }]);
  expect(admit("/markets", 0)).toEqual({ ok: true });
  expect(admit("/markets", 4000)).toEqual({ ok: true });
  expect(admit("/markets", 9000)).toEqual({ ok: false, retry_after_ms: 1000 });
  expect(admit("/markets", 10_000)).toEqual({ ok: true });
  expect(admit("/markets", 10_001)).toEqual({ ok: false, retry_after_ms: 3999 });
  expect(admit("/events", 10_001)).toEqual({ ok: true });
});

test("every rule that covers a path applies, and scaling keeps at least one request", () => {
  const rules = documentedLimits("data", 0.001);
  expect(rules.find((rule) => rule.path === "*")?.requests).toBe(1);
  const admit = slidingWindow(rules);
  expect(admit("/v2/trades", 0).ok).toBe(true);
  expect(admit("/v2/holders", 0).ok).toBe(false);
});
