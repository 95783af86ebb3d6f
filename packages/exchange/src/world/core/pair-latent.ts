import type { Latent } from "./latent.ts";

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
