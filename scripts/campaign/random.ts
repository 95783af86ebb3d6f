/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws of a run of the campaign, which is a function of its seed. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seeded(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  }

  /** Whole, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.next() * from.length)] ?? from[0];
  }

  shuffled<T>(list: readonly T[]): T[] {
    const rest = [...list];
    for (let place = rest.length - 1; place > 0; place -= 1) {
      const other = this.whole(0, place);
      const [a, b] = [rest[place], rest[other]];
      if (a === undefined || b === undefined) continue;
      [rest[place], rest[other]] = [b, a];
    }
    return rest;
  }
}
