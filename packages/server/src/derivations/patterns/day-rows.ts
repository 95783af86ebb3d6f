/** Bytes as words of 32 bits, where they lie; of those that begin between two words a copy. */
export function wordsOf(bytes: Uint8Array): Uint32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Uint32Array(whole.buffer, whole.byteOffset, whole.length / 4);
}

/** A reading is of so many days that its rows come to about so many bytes, as the one before it tells. */
const BYTES_AT_ONCE = 16_000_000;

/** Rows of a day: `from` is where the first begins among the words, `to` where the last ends. */
export type RowsOfDay = {
  readonly words: Uint32Array;
  readonly view: DataView;
  readonly from: number;
  readonly to: number;
};

/** Rows in the order of days (the first word of each), given day by day; only those of a few days are in memory. */
export class DayRows {
  readonly #width: number;
  readonly #last: number;
  readonly #read: (from: number, to: number) => Promise<Uint8Array>;
  #words: Uint32Array = new Uint32Array();
  #view = new DataView(this.#words.buffer);
  #place = 0;
  /** The first day that was not read yet. */
  #next = 0;
  #daysAtOnce: number;

  /** `width` words a row, up to the last day; of so many days at first. */
  constructor(width: number, last: number, read: (from: number, to: number) => Promise<Uint8Array>, daysAtOnce = 1) {
    this.#width = width;
    this.#last = last;
    this.#read = read;
    this.#daysAtOnce = daysAtOnce;
  }

  /** Of the first day, or of the one after that which was asked for before. */
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
