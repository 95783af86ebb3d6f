const MAX_TIMESTAMPS = 32;
/**
 * First sequence number of an adopted snapshot. A book has the timestamp of its last change, which an earlier session
 * may have stored under the same millisecond: the snapshot must sort after it and have another key.
 */
const ADOPTED_FROM = 1_000_000;

/** Numbers the events of one instrument within a millisecond, from 0. A late one continues its millisecond's count. */
export class SeqCounter {
  readonly #counts = new Map<number, number>();

  next(ms: number): number {
    const seq = this.#counts.get(ms) ?? 0;
    this.#counts.set(ms, seq + 1);
    if (this.#counts.size > MAX_TIMESTAMPS) this.#counts.delete(Math.min(...this.#counts.keys()));
    return seq;
  }

  /** The number of an adopted snapshot; later events in the same millisecond count on from it. */
  adopt(ms: number): number {
    this.#counts.set(ms, Math.max(this.#counts.get(ms) ?? 0, ADOPTED_FROM));
    return this.next(ms);
  }
}
