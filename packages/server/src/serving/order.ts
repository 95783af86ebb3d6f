import type { Column, Layout } from "./layout.ts";
import { Rows } from "./rows.ts";

/** Seconds, then eight bytes of each of the two columns of bytes: the order of rows and of the entries that hold them. */
export const SORT_KEY_BYTES = 20;
const HEAD_BYTES = 8;
const SECONDS_BYTES = 4;

/** The whole sort columns of a row: where two rows agree in their sort keys, these decide. What a cursor holds. */
export type Identity = Buffer;

export function writeSortKey(rows: Rows, row: number, out: Buffer, at: number): void {
  const [seconds, second, third] = rows.layout.sort;
  out.writeUInt32BE(rows.number(seconds.at, row), at);
  copyHead(rows, second.at, row, out, at + SECONDS_BYTES);
  copyHead(rows, third.at, row, out, at + SECONDS_BYTES + HEAD_BYTES);
}

function copyHead(rows: Rows, column: number, row: number, out: Buffer, at: number): void {
  const [bytes, from] = [rows.bytes[column] as Buffer, rows.bytesAt(column, row)];
  for (let byte = 0; byte < HEAD_BYTES; byte += 1) out[at + byte] = bytes[from + byte] as number;
}

export function sortKeyOf(rows: Rows, row: number): Buffer {
  const key = Buffer.allocUnsafe(SORT_KEY_BYTES);
  writeSortKey(rows, row, key, 0);
  return key;
}

export function identityOf(rows: Rows, row: number): Identity {
  const [seconds, second, third] = rows.layout.sort;
  const identity = Buffer.allocUnsafe(SECONDS_BYTES + second.width + third.width);
  identity.writeUInt32BE(rows.number(seconds.at, row), 0);
  let at = SECONDS_BYTES;
  for (const { at: column, width } of [second, third]) {
    const from = rows.bytesAt(column, row);
    at += (rows.bytes[column] as Buffer).copy(identity, at, from, from + width);
  }
  return identity;
}

/** Less than that of every row of these seconds. */
export function identityBefore(layout: Layout, seconds: number): Identity {
  const [, second, third] = layout.sort;
  const identity = Buffer.alloc(SECONDS_BYTES + second.width + third.width);
  identity.writeUInt32BE(seconds, 0);
  return identity;
}

/** Rows of which only the sort columns can be asked for. */
export function rowsOfIdentities(layout: Layout, identities: readonly Identity[]): Rows {
  const rows = new Rows(layout, identities.length);
  const [seconds, second, third] = layout.sort;
  const step = SECONDS_BYTES + second.width + third.width;
  const wrong = identities.find(({ length }) => length !== step);
  if (wrong !== undefined) throw new TypeError(`an identity has ${step} bytes, not ${wrong.length}`);
  const bytes = Buffer.concat(identities);
  rows.numbers[seconds.at] = Float64Array.from(identities, (identity) => identity.readUInt32BE(0));
  for (const [column, start] of [
    [second, SECONDS_BYTES],
    [third, SECONDS_BYTES + second.width],
  ] as const) {
    rows.bytes[column.at] = bytes;
    rows.starts[column.at] = start;
    rows.steps[column.at] = step;
  }
  return rows;
}

/** Below 0 where the first row is before the second in the order of the trees, 0 where they are one row. */
export function compareRows(a: Rows, rowA: number, b: Rows, rowB: number): number {
  const [seconds, second, third] = a.layout.sort;
  return (
    a.number(seconds.at, rowA) - b.number(seconds.at, rowB) ||
    compareBytes(a, rowA, b, rowB, second.at, 0, HEAD_BYTES) ||
    compareBytes(a, rowA, b, rowB, third.at, 0, HEAD_BYTES) ||
    compareBytes(a, rowA, b, rowB, second.at, HEAD_BYTES, second.width) ||
    compareBytes(a, rowA, b, rowB, third.at, HEAD_BYTES, third.width)
  );
}

/** Whether two rows have one sort key: they are never parted between entries. */
export function haveOneSortKey(a: Rows, rowA: number, b: Rows, rowB: number): boolean {
  const [seconds, second, third] = a.layout.sort;
  return (
    compareBytes(a, rowA, b, rowB, third.at, 0, HEAD_BYTES) === 0 &&
    compareBytes(a, rowA, b, rowB, second.at, 0, HEAD_BYTES) === 0 &&
    a.number(seconds.at, rowA) === b.number(seconds.at, rowB)
  );
}

function compareBytes(a: Rows, rowA: number, b: Rows, rowB: number, column: number, from: number, to: number): number {
  const [bytesA, bytesB] = [a.bytes[column] as Buffer, b.bytes[column] as Buffer];
  const [startA, startB] = [a.bytesAt(column, rowA), b.bytesAt(column, rowB)];
  for (let at = from; at < to; at += 1) {
    const difference = (bytesA[startA + at] as number) - (bytesB[startB + at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two rows agree in a column. */
export function agreeIn({ kind, at, width }: Column, a: Rows, rowA: number, b: Rows, rowB: number): boolean {
  if (width > 0) return compareBytes(a, rowA, b, rowB, at, 0, width) === 0;
  if (kind === "text") return a.textsOf(at)[rowA] === b.textsOf(at)[rowB];
  const [numberA, numberB] = [a.number(at, rowA), b.number(at, rowB)];
  return Number.isNaN(numberA) && Number.isNaN(numberB)
    ? a.largeAt(at, rowA) === b.largeAt(at, rowB)
    : numberA === numberB;
}

/** Whether two rows agree in all columns. */
export const areAlike = (a: Rows, rowA: number, b: Rows, rowB: number): boolean =>
  a.layout.columns.every((column) => agreeIn(column, a, rowA, b, rowB));

/** How many of the rows, which are in order, come before the one row of `bound`. */
export function countBefore(rows: Rows, bound: Rows): number {
  let [low, high] = [0, rows.count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(rows, middle, bound, 0) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
