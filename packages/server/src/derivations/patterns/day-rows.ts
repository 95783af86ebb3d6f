/** Bytes as 32-bit words, in place; copied if they do not begin at a word boundary. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
}

/** Target size of one read in bytes: the number of days is chosen from the size of the read before. */
const BYTES_AT_ONCE = 16_000_000;

/** Rows of a day: from word offset `from` to before `to`. */
export type RowsOfDay = {
  readonly words: Uint32Array;
  readonly view: DataView;
  readonly from: number;
  readonly to: number;
};

/** Rows in order of days (the first word of each), returned day by day; only those of a few days are in memory. */
export class DayRows {
  readonly #width: number;
  readonly #last: number;
  readonly #read: (from: number, to: number) => Promise<Uint8Array>;
  #words: Uint32Array = new Uint32Array();
  #view = new DataView(this.#words.buffer);
  #place = 0;
  /** The first day not read yet. */
  #next = 0;
  #daysAtOnce: number;

  /** Reads rows of `width` words up to the day `last`; the first read takes `daysAtOnce` days. */
  constructor(width: number, last: number, read: (from: number, to: number) => Promise<Uint8Array>, daysAtOnce = 1) {
    this.#width = width;
    this.#last = last;
    this.#read = read;
    this.#daysAtOnce = daysAtOnce;
  }

  /** Rows of a day; days must be requested in ascending order. */
  async of(day: number): Promise<RowsOfDay> {
    if (day >= this.#next) {
      const to = Math.min(day + this.#daysAtOnce - 1, this.#last);
      this.#words = wordsOf(await this.#read(day, to));
      this.#view = new DataView(this.#words.buffer, this.#words.byteOffset, this.#words.byteLength);
      this.#place = 0;
      this.#next = to + 1;
      if (this.#words.byteLength < BYTES_AT_ONCE) this.#daysAtOnce *= 2;
      else this.#daysAtOnce = Math.max(1, this.#daysAtOnce >> 1);
    }
    const from = this.#place;
    while (this.#words[this.#place] === day) this.#place += this.#width;
    return { words: this.#words, view: this.#view, from, to: this.#place };
  }
}
