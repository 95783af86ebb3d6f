import type { Entry } from "../ordered/port.ts";

const MOST_ENTRIES = 16;

/** Iterates over the entries of a key, reading them in chunks that double in size, up to sixteen. */
export class EntryCursor {
  readonly #more: (last: Entry, limit: number) => Entry[];
  #entries: Entry[];
  #asked: number;
  #next = 0;

  /** `read` returns the first `limit` entries; `more` those after the last one read. */
  constructor(first: number, read: (limit: number) => Entry[], more: (last: Entry, limit: number) => Entry[]) {
    this.#asked = first;
    this.#entries = read(first);
    this.#more = more;
  }

  next(): Entry | undefined {
    if (this.#next === this.#entries.length) {
      const last = this.#entries.at(-1);
      if (last === undefined || this.#entries.length < this.#asked) return undefined;
      this.#asked = Math.min(MOST_ENTRIES, this.#asked * 2);
      this.#entries = this.#more(last, this.#asked);
      this.#next = 0;
    }
    return this.#entries[this.#next++];
  }
}
