/**
 * Cumulative number of entries of each wallet by day, by which wallets with too few in a window are skipped at once.
 */
export class DayCounts {
  readonly #first: number;
  readonly #width: number;
  readonly #sums: Uint32Array;

  /** `ends` gives the end of each wallet's rows; `day` and `countOf` belong to a row. */
  constructor(ends: Uint32Array, day: Uint16Array, countOf: (row: number) => number) {
    const days = day.subarray(0, ends.at(-1));
    const last = days.reduce((most, one) => Math.max(most, one), 0);
    this.#first = days.reduce((least, one) => Math.min(least, one), last);
    this.#width = last - this.#first + 2;
    const sums = (this.#sums = new Uint32Array(ends.length * this.#width));
    let row = 0;
    for (const [place, end] of ends.entries()) {
      const at = place * this.#width + 1;
      for (; row < end; row += 1) {
        const index = at + (day[row] as number) - this.#first;
        sums[index] = (sums[index] as number) + countOf(row);
      }
      for (let index = at; index < at + this.#width - 1; index += 1)
        sums[index] = (sums[index] as number) + (sums[index - 1] as number);
    }
  }

  /** Entries of the wallet at an index from one day to another (since 1970), both inclusive. */
  within(place: number, first: number, last: number): number {
    return this.#before(place, last + 1) - this.#before(place, first);
  }

  #before(place: number, day: number): number {
    const index = Math.max(0, Math.min(this.#width - 1, day - this.#first));
    return this.#sums[place * this.#width + index] as number;
  }
}
