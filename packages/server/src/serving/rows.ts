import type { Layout } from "./layout.ts";
import type { Micros } from "../definition/micros.ts";

/** Decodes a column of rows. */
export type LoadColumn = (rows: Rows, column: number) => void;

/**
 * Rows column by column: of a batch being filled, or of a block whose columns are decoded when requested. Numbers hold
 * times, counts, token numbers, choices (their index in the list) and millionths.
 */
export class Rows {
  readonly layout: Layout;
  count: number;
  readonly numbers: (Float64Array | undefined)[];
  readonly texts: (string[] | undefined)[];
  /** For a byte column: its buffer, the offset of row 0, and the distance between rows. */
  readonly bytes: Buffer[];
  readonly starts: number[];
  readonly steps: number[];
  /**
   * Amounts of money too large for a number, by column and row (see micros.ts); the number is then NaN, as for null.
   */
  large: Map<number, Map<number, bigint>> | undefined;
  readonly #load: LoadColumn | undefined;

  constructor(layout: Layout, count: number, load?: LoadColumn) {
    this.layout = layout;
    this.count = count;
    this.#load = load;
    this.large = undefined;
    // Copying arrays is much faster than creating them, and a tail has many small blocks.
    const { undefineds, bytes, zeros, widths } = layout.blanks;
    this.numbers = undefineds.slice();
    this.texts = undefineds.slice();
    this.bytes = bytes.slice();
    this.starts = zeros.slice();
    this.steps = widths.slice();
  }

  numbersOf(column: number): Float64Array {
    if (this.numbers[column] === undefined) this.#load?.(this, column);
    return this.numbers[column] as Float64Array;
  }

  textsOf(column: number): string[] {
    if (this.texts[column] === undefined) this.#load?.(this, column);
    return this.texts[column] as string[];
  }

  number(column: number, row: number): number {
    return this.numbersOf(column)[row] as number;
  }

  largeAt(column: number, row: number): bigint | undefined {
    return this.large?.get(column)?.get(row);
  }

  /** Money in millionths. */
  micros(column: number, row: number): Micros | null {
    const number = this.number(column, row);
    return Number.isNaN(number) ? (this.largeAt(column, row) ?? null) : number;
  }

  setMoney(column: number, row: number, micros: Micros | null): void {
    (this.numbers[column] as Float64Array)[row] = typeof micros === "number" ? micros : Number.NaN;
    if (typeof micros !== "bigint") return;
    this.large ??= new Map();
    const ofColumn = this.large.get(column);
    if (ofColumn === undefined) this.large.set(column, new Map([[row, micros]]));
    else ofColumn.set(row, micros);
  }

  bytesAt(column: number, row: number): number {
    return (this.starts[column] as number) + row * (this.steps[column] as number);
  }
}

/** Rows picked from several sources, in an order of their own. */
export class Picks {
  readonly rows: Rows[] = [];
  readonly at: number[] = [];

  get length(): number {
    return this.rows.length;
  }

  push(rows: Rows, at: number): void {
    this.rows.push(rows);
    this.at.push(at);
  }

  pushAll(rows: Rows): void {
    for (let at = 0; at < rows.count; at += 1) this.push(rows, at);
  }

  rowsAt(index: number): Rows {
    return this.rows[index] as Rows;
  }

  atOf(index: number): number {
    return this.at[index] as number;
  }
}
