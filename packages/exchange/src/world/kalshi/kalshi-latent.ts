import type { AssetPath } from "../core/asset-path.ts";
import type { KalshiEventPlan } from "./kalshi-plan.ts";
import { type Latent, normalCdf } from "../core/latent.ts";
import type { Rng } from "../core/rng.ts";

const DAY = 86_400_000;

function clamp(p: number): number {
  return Math.min(0.9995, Math.max(0.0005, p));
}

/** Probabilities of strikes on one value known at the close: an asset's price, or a temperature-like walk. */
export class KalshiLatent implements Latent {
  private readonly plan: KalshiEventPlan;
  private readonly path: AssetPath | null;
  private readonly rng: Rng;
  private at: number;
  private value: number;
  private first: number | null = null;

  constructor(plan: KalshiEventPlan, path: AssetPath | null, rng: Rng) {
    this.plan = plan;
    this.path = path;
    this.rng = rng.fork(`kalshi value ${plan.number}`);
    this.at = plan.created;
    this.value = path === null ? plan.first_value : Math.exp(path.logAt(plan.created));
  }

  advance(at: number): void {
    const now = Math.min(at, this.plan.close);
    if (this.path !== null) this.value = Math.exp(this.path.logAt(now));
    else if (now > this.at) this.value += this.rng.normal() * Math.sqrt((this.plan.variance * (now - this.at)) / DAY);
    const start = this.plan.window_start;
    if (start !== null && now >= start && this.first === null) this.first = this.value;
    this.at = Math.max(this.at, now);
  }

  p(index: number): number {
    const market = this.plan.markets[index];
    if (market === undefined) return 0.5;
    if (this.plan.window_start !== null) return this.first === null ? 0.5 : clamp(this.above(this.first));
    const floor = market.floor_strike === null ? 1 : this.above(market.floor_strike);
    const cap = market.cap_strike === null ? 0 : this.above(market.cap_strike);
    return clamp(floor - cap);
  }

  wakeAt(): number {
    return this.plan.window_start !== null && this.at < this.plan.window_start
      ? this.plan.window_start
      : Number.POSITIVE_INFINITY;
  }

  /** Value reported by the exchange as expiration value. */
  final(): string {
    return this.value.toFixed(2);
  }

  decide(): boolean[] {
    return this.plan.markets.map((market) => {
      if (this.plan.window_start !== null) return this.value >= (this.first ?? this.value);
      return this.value >= (market.floor_strike ?? -Infinity) && this.value < (market.cap_strike ?? Infinity);
    });
  }

  private above(strike: number): number {
    const left = Math.max(this.plan.close - this.at, 1000);
    if (this.path === null) return normalCdf((this.value - strike) / Math.sqrt((this.plan.variance * left) / DAY));
    return normalCdf(Math.log(this.value / strike) / (this.path.sigma * Math.sqrt(left)));
  }
}
