type Compare = (one: number, other: number) => number;

/** Row numbers in a total order. */
export class RowOrder {
  readonly compare: Compare;
  rows: Uint32Array = new Uint32Array(0);

  constructor(compare: Compare) {
    this.compare = compare;
  }

  /** Removes the rows marked in `isLeaving` and inserts others: in one pass over all rows, with few comparisons. */
  merge(isLeaving: Uint8Array, entering: readonly number[], leaving: number): void {
    if (entering.length === 0 && leaving === 0) return;
    if (leaving > 0) this.rows = without(this.rows, isLeaving, leaving);
    const { compare, rows: old } = this;
    const all = new Uint32Array(old.length + entering.length);
    let [from, at] = [0, 0];
    for (const row of Uint32Array.from(entering).sort(compare)) {
      const place = this.first((other) => compare(other, row) < 0, from);
      all.set(old.subarray(from, place), at);
      at += place - from;
      all[at++] = row;
      from = place;
    }
    all.set(old.subarray(from), at);
    this.rows = all;
  }

  /**
   * Returns the first position from `from` on whose row fails `isBefore`, which must be true for all rows before it.
   */
  first(isBefore: (row: number) => boolean, from = 0): number {
    let [low, high] = [from, this.rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.rows[middle] as number)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  placeOf(row: number): number {
    return this.first((other) => this.compare(other, row) < 0);
  }
}

function without(rows: Uint32Array, isLeaving: Uint8Array, leaving: number): Uint32Array {
  const kept = new Uint32Array(rows.length - leaving);
  let at = 0;
  for (const row of rows) if (isLeaving[row] === 0) kept[at++] = row;
  return kept;
}

/** A number for each row. One that may be inexact makes the column unusable: queries then fall back to the engine. */
export class NumberColumn {
  /** NaN if a row has none. */
  values = new Float64Array(1024);
  isExact = true;

  /** Sets a value and returns whether it changed. */
  set(row: number, value: number): boolean {
    if (row >= this.values.length) this.values = grown(this.values);
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.isExact = false;
    const before = this.values[row] as number;
    this.values[row] = value;
    return before !== value && !(Number.isNaN(before) && Number.isNaN(value));
  }

  /** The value that the row is ordered by. */
  at(row: number): number {
    return (this.values[row] as number) || 0;
  }
}

/** A label for each row, stored as a number; 0 if a row has none. */
export class LabelColumn {
  readonly #numbers = new Map<string, number>();
  readonly labels: (string | undefined)[] = [undefined];
  readonly numbers = new NumberColumn();

  set(row: number, label: string | null): void {
    this.numbers.set(row, label === null ? 0 : this.#numberOf(label));
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label);
    if (known !== undefined) return known;
    const number = this.labels.push(label) - 1;
    this.#numbers.set(label, number);
    return number;
  }
}

/** Compares texts by their UTF-8 bytes: in code point order, not by UTF-16 code units. */
export function byBytes(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (a !== b) return inBytes(a) - inBytes(b);
  }
  return one.length - other.length;
}

/** Surrogates stand for code points above all others. */
const inBytes = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Returns a copy with twice the capacity. */
export function grown<Array extends Numbers>(old: Array): Array {
  const Kind = old.constructor as new (length: number) => Array;
  const more = new Kind(old.length * 2);
  more.set(old);
  return more;
}
