import { microText } from "../definition/value-text.ts";
import type { Dictionary } from "../ordered/dictionary.ts";
import type { Column } from "./layout.ts";
import type { Micros } from "../definition/micros.ts";
import type { Rows } from "./rows.ts";
import { tokenOfBytes } from "../definition/bytes.ts";

/** A view of one row that is moved from row to row, and decodes only the columns that are requested. */
export class RowView {
  readonly #dictionary: Dictionary;
  #rows: Rows | undefined;
  #row = 0;

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary;
  }

  move(rows: Rows, row: number): this {
    this.#rows = rows;
    this.#row = row;
    return this;
  }

  /** Seconds, counts, the number of a token, the index of a choice. */
  number({ at }: Column): number {
    return this.#held.number(at, this.#row);
  }

  micros({ at, name }: Column): Micros {
    const micros = this.#held.micros(at, this.#row);
    if (micros === null) throw new TypeError(`${name} is null`);
    return micros;
  }

  /** Whether a hash, a wallet or an integer equals these bytes. */
  hasBytes({ at, width }: Column, bytes: Buffer): boolean {
    const from = this.#held.bytesAt(at, this.#row);
    return (this.#held.bytes[at] as Buffer).compare(bytes, 0, width, from, from + width) === 0;
  }

  /** Copies the bytes of a hash or a wallet, and returns their number. */
  copyBytes({ at, width }: Column, out: Uint8Array, to: number): number {
    const from = this.#held.bytesAt(at, this.#row);
    return (this.#held.bytes[at] as Buffer).copy(out, to, from, from + width);
  }

  /** The value as it was added (see batch.ts): money without trailing zeros. */
  value(column: Column): string | number | null {
    const { kind, at, width } = column;
    if (width > 0) {
      const from = this.#held.bytesAt(at, this.#row);
      if (kind === "integer") return tokenOfBytes((this.#held.bytes[at] as Buffer).subarray(from, from + width));
      return `0x${(this.#held.bytes[at] as Buffer).toString("hex", from, from + width)}`;
    }
    if (kind === "text") {
      const text = this.#held.textsOf(at)[this.#row] as string;
      return column.list === "tokens" && text !== "" ? this.#tokensOf(text) : text;
    }
    if (kind === "money") {
      const micros = this.#held.micros(at, this.#row);
      return micros === null ? null : microText(BigInt(micros));
    }
    const number = this.number(column);
    if (kind === "token") return this.#dictionary.tokenOf(number);
    return kind === "choice" || kind === "flag" ? (column.values[number] as string) : number;
  }

  #tokensOf(numbers: string): string {
    return numbers
      .split(",")
      .map((number) => this.#dictionary.tokenOf(Number(number)))
      .join(",");
  }

  get #held(): Rows {
    if (this.#rows === undefined) throw new TypeError("the view is not positioned at a row yet");
    return this.#rows;
  }
}
