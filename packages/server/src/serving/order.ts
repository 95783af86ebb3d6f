import type { Column, Layout, Timestamp } from "./layout.ts";
import { plainMicros, type Micros } from "../definition/micros.ts";
import { Rows } from "./rows.ts";

/** The complete sort columns of a row, which break ties between rows with the same sort key. Used as a cursor. */
export type Identity = Buffer;

const HALF = 4_294_967_296;
/** Bytes of a number below 2^53 in a key. */
const NUMBER_BYTES = 8;
/** The least amount of 64 bits. */
const MIN_MICROS = String(-(2n ** 63n));
/** Length prefix of a text in an identity. */
const LENGTH_BYTES = 2;

/**
 * Writes the first sort columns as bytes that sort alike: the time, then ties, of the last one only the first bytes.
 */
export function writeSortKey(rows: Rows, row: number, out: Buffer, at: number): void {
  const { timestamp, keyTies } = rows.layout;
  let to = writeTimestamp(timestamp, rows.number(timestamp.column.at, row), out, at);
  for (const { column, keyBytes } of keyTies) {
    if (column.width > 0) copyBytes(rows, column.at, row, out, to, keyBytes);
    else if (column.kind === "count") writeNumber(rows.number(column.at, row), out, to);
    else Buffer.from(rows.textsOf(column.at)[row] as string).copy(out.fill(0, to, to + keyBytes), to, 0, keyBytes);
    to += keyBytes;
  }
}

function writeTimestamp({ width }: Timestamp, value: number, out: Buffer, at: number): number {
  return width === NUMBER_BYTES ? writeNumber(value, out, at) : out.writeUInt32BE(value, at);
}

function writeNumber(value: number, out: Buffer, at: number): number {
  out.writeUInt32BE(Math.floor(value / HALF), at);
  return out.writeUInt32BE(value % HALF, at + 4);
}

const readNumber = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at) * HALF + bytes.readUInt32BE(at + 4);

/** Copies byte by byte, which is faster than a call for so few. */
function copyBytes(rows: Rows, column: number, row: number, out: Buffer, at: number, count: number): void {
  const [bytes, from] = [rows.bytes[column] as Buffer, rows.bytesAt(column, row)];
  for (let byte = 0; byte < count; byte += 1) out[at + byte] = bytes[from + byte] as number;
}

export function sortKeyOf(rows: Rows, row: number): Buffer {
  const key = Buffer.allocUnsafe(rows.layout.sortBytes);
  writeSortKey(rows, row, key, 0);
  return key;
}

/** A value for each sort column: a number, bytes or a text; for money millionths as text. */
export type SortValues = readonly [number, ...(number | Buffer | string)[]];

export function identityOf(rows: Rows, row: number): Identity {
  const { timestamp, ties } = rows.layout;
  const others = ties.map(({ column: { at, kind, width } }) => {
    if (kind === "text") return rows.textsOf(at)[row] as string;
    if (kind === "money") return String(rows.micros(at, row));
    if (width === 0) return rows.number(at, row);
    const from = rows.bytesAt(at, row);
    return (rows.bytes[at] as Buffer).subarray(from, from + width);
  });
  return identityOfValues(rows.layout, [rows.number(timestamp.column.at, row), ...others]);
}

export function identityOfValues({ timestamp }: Layout, [first, ...others]: SortValues): Identity {
  const head = Buffer.alloc(timestamp.width);
  writeTimestamp(timestamp, first, head, 0);
  const parts = others.map((value) => {
    if (value instanceof Uint8Array) return value;
    const part = typeof value === "number" ? Buffer.alloc(NUMBER_BYTES) : Buffer.from(`\0\0${value}`);
    if (typeof value === "number") writeNumber(value, part, 0);
    else part.writeUInt16BE(part.length - LENGTH_BYTES, 0);
    return part;
  });
  return Buffer.concat([head, ...parts]);
}

/** Returns an identity less than any row's of this time, and not greater than any row's of a later time. */
export function identityBefore(layout: Layout, timestamp: number): Identity {
  const lowest = layout.ties.map(({ column: { kind, width } }) => {
    if (kind === "text") return "";
    if (kind === "money") return MIN_MICROS;
    return width > 0 ? Buffer.alloc(width) : 0;
  });
  return identityOfValues(layout, [timestamp, ...lowest]);
}

/** Rows that have only the sort columns. */
export function rowsOfIdentities(layout: Layout, identities: readonly Identity[]): Rows {
  const rows = new Rows(layout, identities.length);
  const { timestamp, ties } = layout;
  const numbers = (column: Column): Float64Array => (rows.numbers[column.at] ??= new Float64Array(identities.length));
  for (const { column } of ties) {
    if (column.width > 0) rows.bytes[column.at] = Buffer.alloc(identities.length * column.width);
    else if (column.kind === "text") rows.texts[column.at] = [];
    else numbers(column);
  }
  for (const [row, identity] of identities.entries()) {
    if (identity.length < timestamp.width) throw new TypeError(`an identity of ${identity.length} bytes is too short`);
    numbers(timestamp.column)[row] = timestamp.width === 4 ? identity.readUInt32BE(0) : readNumber(identity, 0);
    let at = timestamp.width;
    for (const { column } of ties) at = readTie(column, identity, at);
    if (at !== identity.length) throw new TypeError(`an identity has ${at} bytes, not ${identity.length}`);

    function readTie(column: Column, from: Buffer, start: number): number {
      if (column.width > 0) {
        from.copy(rows.bytes[column.at] as Buffer, row * column.width, start, start + column.width);
        return start + column.width;
      }
      if (column.kind !== "text" && column.kind !== "money") {
        if (start + NUMBER_BYTES <= from.length) numbers(column)[row] = readNumber(from, start);
        return start + NUMBER_BYTES;
      }
      const length = start + LENGTH_BYTES <= from.length ? from.readUInt16BE(start) : 0;
      const end = start + LENGTH_BYTES + length;
      const text = from.toString("utf8", start + LENGTH_BYTES, end);
      if (column.kind === "text") (rows.texts[column.at] as string[])[row] = text;
      else rows.setMoney(column.at, row, plainMicros(BigInt(text)));
      return end;
    }
  }
  return rows;
}

/** Negative if the first row is before the second in tree order, 0 if they are the same row. */
export function compareRows(a: Rows, rowA: number, b: Rows, rowB: number): number {
  const { timestamp, ties } = a.layout;
  const { at } = timestamp.column;
  let difference = a.number(at, rowA) - b.number(at, rowB);
  for (let tie = 0; difference === 0 && tie < ties.length; tie += 1)
    difference = compareIn((ties[tie] as (typeof ties)[number]).column, a, rowA, b, rowB);
  return difference;
}

function compareIn({ at, kind, width }: Column, a: Rows, rowA: number, b: Rows, rowB: number): number {
  if (width > 0) return compareBytes(a, rowA, b, rowB, at, width);
  if (kind === "money") return compareMicros(a.micros(at, rowA) as Micros, b.micros(at, rowB) as Micros);
  if (kind !== "text") return a.number(at, rowA) - b.number(at, rowB);
  const [textA, textB] = [a.textsOf(at)[rowA] as string, b.textsOf(at)[rowB] as string];
  return textA === textB ? 0 : Buffer.from(textA).compare(Buffer.from(textB));
}

const compareMicros = (a: Micros, b: Micros): number => (a < b ? -1 : Number(b < a));

/** Whether two rows have the same sort key: such rows are never split between entries. */
export function haveOneSortKey(a: Rows, rowA: number, b: Rows, rowB: number): boolean {
  const { timestamp, keyTies } = a.layout;
  if (a.number(timestamp.column.at, rowA) !== b.number(timestamp.column.at, rowB)) return false;
  return keyTies.every(({ column, keyBytes }) => {
    if (column.width > 0) return compareBytes(a, rowA, b, rowB, column.at, keyBytes) === 0;
    if (column.kind === "count") return a.number(column.at, rowA) === b.number(column.at, rowB);
    return sortKeyOf(a, rowA).equals(sortKeyOf(b, rowB));
  });
}

function compareBytes(a: Rows, rowA: number, b: Rows, rowB: number, column: number, count: number): number {
  const [bytesA, bytesB] = [a.bytes[column] as Buffer, b.bytes[column] as Buffer];
  const [startA, startB] = [a.bytesAt(column, rowA), b.bytesAt(column, rowB)];
  for (let at = 0; at < count; at += 1) {
    const difference = (bytesA[startA + at] as number) - (bytesB[startB + at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two rows agree in a column. */
export function agreeIn({ kind, at, width }: Column, a: Rows, rowA: number, b: Rows, rowB: number): boolean {
  if (width > 0) return compareBytes(a, rowA, b, rowB, at, width) === 0;
  if (kind === "text") return a.textsOf(at)[rowA] === b.textsOf(at)[rowB];
  const [numberA, numberB] = [a.number(at, rowA), b.number(at, rowB)];
  return Number.isNaN(numberA) && Number.isNaN(numberB)
    ? a.largeAt(at, rowA) === b.largeAt(at, rowB)
    : numberA === numberB;
}

/** Whether two rows agree in all columns. */
export const areAlike = (a: Rows, rowA: number, b: Rows, rowB: number): boolean =>
  a.layout.columns.every((column) => agreeIn(column, a, rowA, b, rowB));

/** Returns how many of the rows, which are in order, come before the single row of `bound`. */
export function countBefore(rows: Rows, bound: Rows): number {
  let [low, high] = [0, rows.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(rows, middle, bound, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
