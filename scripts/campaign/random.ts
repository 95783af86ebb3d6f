/** Numbers that are the same for the same seed (mulberry32): a run of the campaign is a function of its seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
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
