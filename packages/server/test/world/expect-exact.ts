import { expect } from "vitest";
import type { PnlVerdict } from "../../../../scripts/accuracy/pnl/compare-pnl.ts";

/** Every wallet's cash, profit and residual are the world's, and there are enough of each. */
export function expectExact({ cash, realized, residual, fills }: PnlVerdict): void {
  expect(fills).toBeGreaterThan(500);
  for (const agreement of [cash, realized, residual]) {
    expect(agreement).toMatchObject({ largestUsd: 0, where: "" });
    expect(agreement.exact).toBe(agreement.all);
    expect(agreement.all).toBeGreaterThan(20);
  }
}
