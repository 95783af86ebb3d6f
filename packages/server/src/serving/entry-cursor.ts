import type { Entry } from "../ordered/ordered-store.ts";

const MAX_ENTRIES = 16;

/** Iterates over the entries of a key, reading them in chunks that double in size, up to sixteen. */
export class EntryCursor {
  readonly #more: (last: Entry, limit: number) => Entry[];
  #entries: Entry[];
  #requested: number;
  #next = 0;

  /** `read` returns the first `limit` entries; `more` those after the last one read. */
  constructor(first: number, read: (limit: number) => Entry[], more: (last: Entry, limit: number) => Entry[]) {
    this.#requested = first;
    this.#entries = read(first);
    this.#more = more;
  }

  next(): Entry | undefined {
    if (this.#next === this.#entries.length) {
      const last = this.#entries.at(-1);
      if (last === undefined || this.#entries.length < this.#requested) return undefined;
      this.#requested = Math.min(MAX_ENTRIES, this.#requested * 2);
      this.#entries = this.#more(last, this.#requested);
      this.#next = 0;
    }
    return this.#entries[this.#next++];
  }
}
