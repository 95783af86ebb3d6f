import { expect } from "vitest";
import type { PnlVerdict } from "../../../../scripts/accuracy/pnl/compare-pnl.ts";

/** Expects every wallet's cash, profit and residual to equal the world's, with enough of each. */
export function expectExact({ cash, realized, residual, fills }: PnlVerdict): void {
  expect(fills).toBeGreaterThan(500);
  for (const agreement of [cash, realized, residual]) {
    expect(agreement).toMatchObject({ largestUsd: 0, where: "" });
    expect(agreement.exact).toBe(agreement.all);
    expect(agreement.all).toBeGreaterThan(20);
  }
}
