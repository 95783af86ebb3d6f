import type { KalshiMarket } from "../kalshi-contract.ts";

type Range = KalshiMarket["price_ranges"][number];

/** Price grids by structure name (reference kalshi-and-social.md A3). */
export const PRICE_RANGES: Readonly<Record<KalshiMarket["price_level_structure"], Range[]>> = {
  linear_cent: [{ start_e4: 0, end_e4: 10_000, step_e4: 100 }],
  deci_cent: [{ start_e4: 0, end_e4: 10_000, step_e4: 10 }],
  tapered_deci_cent: [
    { start_e4: 0, end_e4: 1000, step_e4: 10 },
    { start_e4: 1000, end_e4: 9000, step_e4: 100 },
    { start_e4: 9000, end_e4: 10_000, step_e4: 10 },
  ],
};

/** Step of the grid just below a price. */
function stepBelow(ranges: readonly Range[], price: number): number {
  for (const range of ranges) if (price > range.start_e4 && price <= range.end_e4) return range.step_e4;
  return 100;
}

/** Highest price of the grid that is not above `price`. */
export function floorToGrid(ranges: readonly Range[], price: number): number {
  const step = stepBelow(ranges, price);
  return Math.floor(price / step) * step;
}

/** Next lower price of the grid. */
export function below(ranges: readonly Range[], price: number): number {
  return price - stepBelow(ranges, price);
}
