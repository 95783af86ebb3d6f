/** So many old numbers in a row are not late frames: the venue began to count anew. */
const RESTARTED_AFTER = 100;

/** Watches the numbers of one subscription: they count its frames of every kind, not those of a market. */
export class Sequence {
  #last: number | undefined;
  #stale = 0;

  /** Where this number would stand; it is not taken. */
  look(seq: number): "next" | "stale" | "gap" {
    const last = this.#last;
    if (last !== undefined && seq <= last && this.#stale < RESTARTED_AFTER) return "stale";
    return last === undefined || seq === last + 1 ? "next" : "gap";
  }

  take(seq: number): void {
    const isStale = this.look(seq) === "stale";
    this.#stale = isStale ? this.#stale + 1 : 0;
    if (!isStale) this.#last = seq;
  }
}
