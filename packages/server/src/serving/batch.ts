import { endianness } from "node:os";
import type { Dictionary } from "../ordered/dictionary.ts";
import type { Column, Layout } from "./layout.ts";
import { type Micros, microsOf, plainMicros, signedMicros } from "../definition/micros.ts";
import { Rows } from "./rows.ts";
import { bytesOfToken } from "../definition/bytes.ts";

/** An input row: numbers, decimal text for money and tokens, 0x-hex for bytes, text for choices and flags. */
export type PlainRow = Readonly<Record<string, string | number | null>>;

/**
 * A column of many rows: seconds and counts in any number type, choices by their index in the list, bytes concatenated,
 * money in millionths (the engine's Decimal64; NULL_MICROS for null), tokens and texts as text.
 */
export type PlainColumn = Uint8Array | Uint32Array | Float64Array | BigInt64Array | readonly string[];

/** Less than any amount of the engine's Decimal64. */
export const NULL_MICROS = -(2n ** 63n);

const FIRST_ROWS = 256;
const HALF = 4_294_967_296;
const SECONDS_END = HALF;
/** Last high half of numbers up to 2^53, excluded because it includes the first inexact numbers. */
const EXACT_HIGH = 2_097_151;
/** The same for amounts of a signed column, on both sides of 0. */
const SIGNED_HIGH = 1_048_575;
const IS_LITTLE = endianness() === "LE";
const HIGH_HALF = IS_LITTLE ? 4 : 0;

/** Rows on their way into the index. A batch is not filled again after it was handed over. */
export class Batch {
  readonly rows: Rows;
  readonly #dictionary: Dictionary;
  #room = 0;

  constructor(layout: Layout, dictionary: Dictionary) {
    this.rows = new Rows(layout, 0);
    this.#dictionary = dictionary;
    this.#reserve(1);
  }

  add(row: PlainRow): void {
    this.#reserve(1);
    for (const column of this.rows.layout.columns) this.#set(column, this.rows.count, row[column.name]);
    this.rows.count += 1;
  }

  addColumns(count: number, columns: Readonly<Record<string, PlainColumn>>): void {
    this.#reserve(count);
    for (const column of this.rows.layout.columns) {
      const values = columns[column.name];
      const length = column.width > 0 ? count * column.width : count;
      if (values?.length !== length) throw new TypeError(`${column.name} has ${values?.length} values, not ${length}`);
      this.#setAll(column, values);
    }
    this.rows.count += count;
  }

  #setAll(column: Column, values: PlainColumn): void {
    const { rows } = this;
    if (column.width > 0 && values instanceof Uint8Array)
      (rows.bytes[column.at] as Buffer).set(values, rows.count * column.width);
    else if (column.kind === "money" && values instanceof BigInt64Array) this.#setMonies(column, values);
    else if (isWhole(column, values)) rows.numbersOf(column.at).set(values, rows.count);
    else for (const [index, value] of values.entries()) this.#set(column, rows.count + index, value);
  }

  #setMonies({ at: column, isNullable, isSigned }: Column, values: BigInt64Array): void {
    const { rows } = this;
    const numbers = rows.numbersOf(column);
    const [least, end] = isSigned ? [-SIGNED_HIGH, SIGNED_HIGH] : [0, EXACT_HIGH];
    const halves = new DataView(values.buffer, values.byteOffset, values.byteLength);
    for (let index = 0; index < values.length; index += 1) {
      // Reading two halves is several times as fast as one integer of any size.
      const high = halves.getInt32(index * 8 + HIGH_HALF, IS_LITTLE);
      if (high >= least && high < end)
        numbers[rows.count + index] = high * HALF + halves.getUint32(index * 8 + 4 - HIGH_HALF, IS_LITTLE);
      else {
        const micros = values[index] as bigint;
        const one = isSigned ? signedMicros(micros) : plainMicros(micros);
        rows.setMoney(column, rows.count + index, isNullable && micros === NULL_MICROS ? null : one);
      }
    }
  }

  #set(column: Column, row: number, value: unknown): void {
    const { rows } = this;
    const { at, kind, width } = column;
    if (kind === "integer") (rows.bytes[at] as Buffer).set(bytesOfToken(textOf(column, value)), row * width);
    else if (width > 0) setHex(column, rows.bytes[at] as Buffer, row * width, value);
    else if (column.list === "tokens") rows.textsOf(at)[row] = this.#numbersOf(textOf(column, value));
    else if (kind === "text") rows.textsOf(at)[row] = textOf(column, value);
    else if (kind === "money")
      rows.setMoney(at, row, column.isNullable && value === null ? null : amountOf(column, value));
    else rows.numbersOf(at)[row] = this.#numberOf(column, value);
  }

  #numbersOf(tokens: string): string {
    if (tokens === "") return "";
    return tokens
      .split(",")
      .map((token) => this.#dictionary.numberOf(token))
      .join(",");
  }

  #numberOf(column: Column, value: unknown): number {
    if (column.kind === "token") return this.#dictionary.numberOf(textOf(column, value));
    if (column.values.length > 0) {
      const place = column.values.indexOf(textOf(column, value));
      if (place === -1) throw wrong(column, value);
      return place;
    }
    const end = column.kind === "seconds" ? SECONDS_END : Number.MAX_SAFE_INTEGER + 1;
    if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0 || value >= end)
      throw wrong(column, value);
    return value;
  }

  #reserve(more: number): void {
    const needed = this.rows.count + more;
    if (needed <= this.#room) return;
    this.#room = Math.max(this.#room * 2, needed, FIRST_ROWS);
    for (const column of this.rows.layout.columns) this.#grow(column);
  }

  #grow({ at, width, kind }: Column): void {
    const { rows } = this;
    if (width > 0) {
      const grown = Buffer.alloc(this.#room * width);
      rows.bytes[at]?.copy(grown);
      rows.bytes[at] = grown;
    } else if (kind === "text") rows.texts[at] ??= [];
    else {
      const grown = new Float64Array(this.#room);
      if (rows.numbers[at] !== undefined) grown.set(rows.numbers[at]);
      rows.numbers[at] = grown;
    }
  }
}

/** Whether the values can be copied unchecked, since their type and range guarantee valid numbers of the column. */
function isWhole(
  { kind, values: choices }: Column,
  values: PlainColumn,
): values is Uint8Array | Uint32Array | Float64Array {
  if (choices.length > 0) return values instanceof Uint8Array && values.every((value) => value < choices.length);
  if (values instanceof Float64Array) return kind === "count" || kind === "millis" || kind === "micros";
  return (kind === "seconds" || kind === "count") && (values instanceof Uint32Array || values instanceof Uint8Array);
}

function setHex(column: Column, bytes: Buffer, at: number, value: unknown): void {
  const length = 2 + column.width * 2;
  if (typeof value !== "string" || value.length !== length || !value.startsWith("0x")) throw wrong(column, value);
  if (bytes.write(value.slice(2), at, "hex") !== column.width) throw wrong(column, value);
}

function amountOf(column: Column, value: unknown): Micros {
  const micros = microsOf(textOf(column, value));
  return column.isSigned ? signedMicros(BigInt(micros)) : micros;
}

function textOf(column: Column, value: unknown): string {
  if (typeof value !== "string") throw wrong(column, value);
  return value;
}

const wrong = ({ name, kind }: Column, value: unknown): TypeError =>
  new TypeError(`${name}: ${String(value)} is not a value of kind ${kind}`);
