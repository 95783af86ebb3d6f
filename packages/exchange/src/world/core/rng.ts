/**
 * Seeded generator (sfc32, 128 bits of state). `fork` returns an independent stream for a name, whatever was drawn
 * before.
 */
export class Rng {
  readonly seed: number;
  private a: number;
  private b: number;
  private c: number;
  private d: number;
  private spare: number = Number.NaN;

  constructor(seed: number, stream: string = "") {
    this.seed = seed;
    let h = (seed ^ 0x9e3779b9) | 0;
    const next = (): number => {
      h = (h + 0x9e3779b9) | 0;
      let z = h;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      return (z ^ (z >>> 16)) | 0;
    };
    for (let i = 0; i < stream.length; i += 1) h = Math.imul(h ^ stream.charCodeAt(i), 0x01000193) | 0;
    this.a = next() ^ Math.floor(seed / 0x1_0000_0000);
    this.b = next();
    this.c = next();
    this.d = 1;
    for (let i = 0; i < 12; i += 1) this.bits();
  }

  fork(stream: string): Rng {
    return new Rng(this.seed, stream);
  }

  /** 32 random bits as a signed integer. */
  bits(): number {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (this.c << 21) | (this.c >>> 11);
    this.c = (this.c + t) | 0;
    return t;
  }

  /** In [0, 1). */
  unit(): number {
    return (this.bits() >>> 0) / 0x1_0000_0000;
  }

  /** In [from, to). */
  between(from: number, to: number): number {
    return from + (to - from) * this.unit();
  }

  /** Integer in [0, n). */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  chance(p: number): boolean {
    return this.unit() < p;
  }

  /** Exponential with the given mean. */
  wait(mean: number): number {
    return -Math.log(1 - this.unit()) * mean;
  }

  normal(): number {
    if (!Number.isNaN(this.spare)) {
      const kept = this.spare;
      this.spare = Number.NaN;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.unit()));
    const angle = 2 * Math.PI * this.unit();
    this.spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("Nothing to pick from");
    return item;
  }
}
