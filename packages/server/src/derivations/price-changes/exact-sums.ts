const PART = 2 ** 26;
const FIRST = 1024;

/**
 * Running sums of non-negative integers, each kept as two parts whose sums are exact, so that the sum over any run does
 * not depend on earlier values.
 */
export class ExactSums {
  #high = new Float64Array(FIRST);
  #low = new Float64Array(FIRST);
  #length = 0;

  clear(): void {
    this.#length = 0;
  }

  /** A number below 2^53. */
  add(value: number): void {
    const high = Math.floor(value / PART);
    this.#addParts(high, value - high * PART);
  }

  /** Adds a 64-bit number, given as two halves. */
  addHalves(upper: number, lower: number): void {
    this.#addParts(upper * 64 + (lower >>> 26), lower & (PART - 1));
  }

  /** The sum from one position to before another, rounded once. */
  between(from: number, to: number): number {
    return this.#highOf(from, to) * PART + this.#lowOf(from, to);
  }

  /** The same sum, exact. */
  exactly(from: number, to: number): number | bigint {
    const sum = this.between(from, to);
    if (Number.isSafeInteger(sum)) return sum;
    return BigInt(this.#highOf(from, to)) * BigInt(PART) + BigInt(this.#lowOf(from, to));
  }

  #highOf(from: number, to: number): number {
    return (this.#high[to] as number) - (this.#high[from] as number);
  }

  #lowOf(from: number, to: number): number {
    return (this.#low[to] as number) - (this.#low[from] as number);
  }

  #addParts(high: number, low: number): void {
    const at = this.#length++;
    if (at + 1 === this.#high.length) this.#grow();
    this.#high[at + 1] = (this.#high[at] as number) + high;
    this.#low[at + 1] = (this.#low[at] as number) + low;
  }

  #grow(): void {
    const [high, low] = [this.#high, this.#low];
    this.#high = new Float64Array(high.length * 2);
    this.#low = new Float64Array(low.length * 2);
    this.#high.set(high);
    this.#low.set(low);
  }
}
