import type { KalshiLevel } from "../kalshi-contract.ts";

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
