import type { Rng } from "./rng.ts";

/** Seconds between two steps of a price. */
const STEP_MS = 5000;

/** Initial price and annual volatility, by symbol. */
const ASSETS: Readonly<Record<string, [number, number]>> = {
  btc: [91_500, 0.5],
  eth: [3050, 0.65],
  sol: [138, 0.8],
  xrp: [2.1, 0.8],
};

/** Geometric random walk of an asset's price in steps of 5 s; moves only forward. */
export class AssetPath {
  readonly start: number;
  /** Volatility per square root of a millisecond. */
  readonly sigma: number;
  private readonly rng: Rng;
  private step = 0;
  private log: number;

  constructor(symbol: string, start: number, rng: Rng) {
    const [price, volatility] = ASSETS[symbol] ?? [100, 0.5];
    this.start = start;
    this.sigma = volatility / Math.sqrt(365 * 86_400_000);
    this.rng = rng.fork(`asset ${symbol}`);
    this.log = Math.log(price);
  }

  /** Log price at a time not before the last one requested. */
  logAt(at: number): number {
    const wanted = Math.floor((at - this.start) / STEP_MS);
    const scale = this.sigma * Math.sqrt(STEP_MS);
    while (this.step < wanted) {
      this.step += 1;
      this.log += scale * this.rng.normal();
    }
    return this.log;
  }
}
