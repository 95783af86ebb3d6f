/** So many old numbers in a row are not late frames: the venue began to count anew. */
const RESTARTED_AFTER = 100;

/** Watches the numbers of one subscription: they count its frames of every kind, not those of a market. */
export class Sequence {
  #last: number | undefined;
  #stale = 0;

  take(seq: number): "next" | "stale" | "gap" {
    const last = this.#last;
    if (last !== undefined && seq <= last && this.#stale < RESTARTED_AFTER) {
      this.#stale += 1;
      return "stale";
    }
    this.#stale = 0;
    this.#last = seq;
    return last === undefined || seq === last + 1 ? "next" : "gap";
  }
}
