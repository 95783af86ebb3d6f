import type { AssetPath } from "./asset-path.ts";

/** Latent state hidden from all agents: the true probability of each question of an event. */
export interface Latent {
  /** Advances time to `at`; must not go back. */
  advance(at: number): void;
  /** Probability of outcome 0 of a question, within 0.0005..0.9995 while the event is open. */
  p(index: number): number;
  /** Time of the next jump, at which markets should check again. */
  wakeAt(): number;
  /** Draws the outcome at the end: whether outcome 0 is true, by question, from the final probabilities. */
  decide(): boolean[];
}

/** Two markets of one question: the second is the complement of the first. */
export class PairLatent implements Latent {
  private readonly inner: Latent;
  private readonly count: number;

  constructor(inner: Latent, count: number) {
    this.inner = inner;
    this.count = count;
  }

  advance(at: number): void {
    this.inner.advance(at);
  }

  p(index: number): number {
    return index === 0 ? this.inner.p(0) : 1 - this.inner.p(0);
  }

  wakeAt(): number {
    return this.inner.wakeAt();
  }

  decide(): boolean[] {
    const yes = this.inner.decide()[0] === true;
    return this.count === 1 ? [yes] : [yes, !yes];
  }
}

/**
 * "Will the price at the end be at least that at the start of the window?", resolved by the world's own asset price.
 */
export class UpdownLatent implements Latent {
  private readonly path: AssetPath;
  private readonly start: number;
  private readonly end: number;
  private at: number;
  private first: number | null = null;
  private log = 0;

  constructor(path: AssetPath, created: number, start: number, end: number) {
    this.path = path;
    this.start = start;
    this.end = end;
    this.at = created;
  }

  advance(at: number): void {
    const now = Math.min(at, this.end);
    this.log = this.path.logAt(now);
    if (now >= this.start && this.first === null) this.first = this.log;
    this.at = now;
  }

  p(): number {
    if (this.first === null) return 0.5;
    const left = Math.max(this.end - this.at, 1000);
    const z = (this.log - this.first) / (this.path.sigma * Math.sqrt(left));
    return Math.min(0.9995, Math.max(0.0005, normalCdf(z)));
  }

  wakeAt(): number {
    return Number.POSITIVE_INFINITY;
  }

  decide(): boolean[] {
    return [this.log >= (this.first ?? this.log)];
  }
}

/** Standard normal distribution function (Abramowitz and Stegun 26.2.17, error below 1e-7). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    0.3989422804 *
    Math.exp((-z * z) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z > 0 ? 1 - tail : tail;
}
