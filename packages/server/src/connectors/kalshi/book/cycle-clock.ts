/** Reads the machine's clock during one cycle and notices that it was set back between two readings. */
export class CycleClock {
  readonly #now: () => number;
  readonly #beganMs: number;
  #lastMs: number;
  #earliestMs: number;
  #latestMs: number;
  #wasSetBack = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#beganMs = now();
    this.#lastMs = this.#beganMs;
    this.#earliestMs = this.#beganMs;
    this.#latestMs = this.#beganMs;
  }

  readonly now = (): number => {
    const ms = this.#now();
    if (ms < this.#lastMs) this.#wasSetBack = true;
    this.#lastMs = ms;
    this.#earliestMs = Math.min(this.#earliestMs, ms);
    this.#latestMs = Math.max(this.#latestMs, ms);
    return ms;
  };

  /** Start of the cycle, ISO. */
  get began(): string {
    return isoOf(this.#beganMs);
  }

  /** The earliest and latest readings (ISO) if the clock was set back during the cycle. */
  get setBack(): { readonly from: string; readonly to: string } | undefined {
    return this.#wasSetBack ? { from: isoOf(this.#earliestMs), to: isoOf(this.#latestMs) } : undefined;
  }
}

const isoOf = (ms: number): string => new Date(ms).toISOString();
