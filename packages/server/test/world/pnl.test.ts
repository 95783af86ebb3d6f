import { expect, test } from "vitest";
import { gatherPnl } from "../../../../scripts/accuracy/pnl/gather-pnl.ts";

const world = { events: 15, wallets: 100, kalshi_markets: 5, activity: 2 };

test("every wallet's profit is the world's own truth, to the last unit", { timeout: 600_000 }, async () => {
  const { cash, realized, residual, fills } = await gatherPnl({ seed: 5, days: 0.06, world, say: () => undefined });
  expect(fills).toBeGreaterThan(500);
  for (const agreement of [cash, realized, residual]) {
    expect(agreement).toMatchObject({ largestUsd: 0, where: "" });
    expect(agreement.exact).toBe(agreement.all);
    expect(agreement.all).toBeGreaterThan(20);
  }
});
