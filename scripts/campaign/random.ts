import { seededRandom } from "../vitest/seed.ts";

/** Random draws of a campaign run, determined by its seed. */
export class Random {
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b));
  }

  /** A random integer, both ends included. */
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
