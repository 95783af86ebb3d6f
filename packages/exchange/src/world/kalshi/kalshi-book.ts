import type { KalshiMarket, KalshiLevel } from "../kalshi-contract.ts";

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

/** Bids of one side, ascending (best last). Kalshi publishes levels only, so no orders are kept. */
export class KalshiSide {
  readonly levels: KalshiLevel[] = [];

  best(): KalshiLevel | undefined {
    return this.levels[this.levels.length - 1];
  }

  sizeAt(price: number): number {
    return this.levels.find((level) => level.price_e4 === price)?.size_cc ?? 0;
  }

  /** Changes a level by `delta`; a level at 0 is removed. */
  change(price: number, delta: number): void {
    let i = this.levels.length;
    while (i > 0 && (this.levels[i - 1] as KalshiLevel).price_e4 > price) i -= 1;
    const level = this.levels[i - 1];
    if (level !== undefined && level.price_e4 === price) {
      level.size_cc += delta;
      if (level.size_cc < 0) throw new Error(`Level ${price} below zero`);
      if (level.size_cc === 0) this.levels.splice(i - 1, 1);
    } else if (delta > 0) this.levels.splice(i, 0, { price_e4: price, size_cc: delta });
    else throw new Error(`No level ${price} to take ${-delta} from`);
  }
}
