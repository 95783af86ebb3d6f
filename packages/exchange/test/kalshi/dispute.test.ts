import { expect, test } from "vitest";
import type { KalshiMarket } from "../../src/world/kalshi-contract.ts";
import { createWorld } from "../../src/world/create-world.ts";

const MINUTE = 60_000;

test("some results are disputed and amended before they are settled", () => {
  let now = Date.UTC(2026, 8, 10, 12);
  const world = createWorld({
    seed: 7,
    clock: () => now,
    days: 0.5,
    events: 2,
    wallets: 20,
    activity: 0.05,
    kalshi_markets: 200,
  });
  const seen = new Map<string, KalshiMarket["status"][]>();
  for (let turn = 0; turn < 576; turn += 1) {
    now += 5 * MINUTE;
    world.advanceTo(now);
    for (const { ticker, status } of world.kalshi.markets) {
      const steps = seen.get(ticker) ?? [];
      if (steps.at(-1) !== status) seen.set(ticker, [...steps, status]);
    }
  }
  const disputed = [...seen].filter(([, steps]) => steps.includes("disputed"));
  expect(disputed.length).toBeGreaterThan(0);
  for (const [, steps] of disputed) {
    expect("determined disputed amended finalized").toContain(steps.slice(steps.indexOf("determined")).join(" "));
  }
});
