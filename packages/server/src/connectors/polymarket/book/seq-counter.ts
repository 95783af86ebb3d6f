const MOST_MOMENTS = 32;
/**
 * Where a state taken over starts counting. A book's moment is that of its last change, which an earlier session may
 * have stored under the same millisecond: the state must sort after it and not be taken for it.
 */
const ADOPTED_FROM = 1_000_000;

/** Numbers the events of one instrument within a millisecond, from 0. Late messages find their millisecond's count. */
export class SeqCounter {
  readonly #counts = new Map<number, number>();

  next(ms: number): number {
    const seq = this.#counts.get(ms) ?? 0;
    this.#counts.set(ms, seq + 1);
    if (this.#counts.size > MOST_MOMENTS) this.#counts.delete(Math.min(...this.#counts.keys()));
    return seq;
  }

  /** The number of a state taken over; what follows in the same millisecond counts on from it. */
  adopt(ms: number): number {
    this.#counts.set(ms, Math.max(this.#counts.get(ms) ?? 0, ADOPTED_FROM));
    return this.next(ms);
  }
}
