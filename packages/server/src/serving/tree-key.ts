import type { Dictionary } from "../ordered/dictionary.ts";
import type { Column } from "./layout.ts";
import type { Rows } from "./rows.ts";
import { bytesOfToken } from "../definition/bytes.ts";

const MAX_TEXT = 255;

/** The time order has a single key. It is one byte, since SQLite treats empty bytes as null. */
const BY_TIME = Buffer.from([0]);

/** The key under which a tree holds a row: no key is a prefix of another. */
export function keyOfRow(column: Column | undefined, rows: Rows, row: number): Buffer {
  if (column === undefined) return BY_TIME;
  const { at, kind, width } = column;
  if (kind === "token") return tokenKey(rows.number(at, row));
  if (kind === "text") return textKey(rows.textsOf(at)[row] as string);
  const from = rows.bytesAt(at, row);
  return (rows.bytes[at] as Buffer).subarray(from, from + width);
}

/** The key of a requested value; undefined if no row can have it. */
export function keyOfValue(column: Column, value: string, dictionary: Dictionary): Buffer | undefined {
  if (column.kind === "text") return Buffer.byteLength(value) > MAX_TEXT ? undefined : textKey(value);
  if (column.kind === "token") {
    const number = dictionary.find(value);
    return number === undefined ? undefined : tokenKey(number);
  }
  if (column.kind === "integer") return bytesOfToken(value);
  const bytes = Buffer.from(value.slice(2), "hex");
  if (!value.startsWith("0x") || bytes.length !== column.width || value.length !== 2 + column.width * 2)
    throw new TypeError(`${value} is not a ${column.kind}`);
  return bytes;
}

export const timeKey = (): Buffer => BY_TIME;

function tokenKey(number: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(number, 0);
  return key;
}

function textKey(text: string): Buffer {
  const length = Buffer.byteLength(text);
  if (length > MAX_TEXT) throw new TypeError(`a key has ${length} bytes, at most ${MAX_TEXT} are allowed`);
  return Buffer.from(`\0${text}`).fill(length, 0, 1);
}

/** The tree of data about the rows as a whole. */
export const META = "meta";
