export interface ReadLimits {
  /** Tokens per second and caller; the Basic tier has 200. A read costs 10. */
  tokens_per_second: number;
  /** Bucket capacity in seconds of budget; Basic has 3. */
  burst_seconds: number;
}

/** Token buckets, one per caller (key id or address). */
export class ReadBudget {
  readonly #limits: ReadLimits;
  readonly #wall: () => number;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limits: ReadLimits, wall: () => number) {
    this.#limits = limits;
    this.#wall = wall;
  }

  /** Takes the cost, or takes nothing and returns false. */
  take(caller: string, cost: number): boolean {
    const now = this.#wall();
    const size = this.#limits.tokens_per_second * this.#limits.burst_seconds;
    const bucket = this.#buckets.get(caller) ?? { tokens: size, at: now };
    const tokens = Math.min(size, bucket.tokens + ((now - bucket.at) / 1000) * this.#limits.tokens_per_second);
    const enough = tokens >= cost;
    this.#buckets.set(caller, { tokens: enough ? tokens - cost : tokens, at: now });
    return enough;
  }
}
