import type { Fold, FoldSource, KeyRange } from "../../definition/fold.ts";
import { bind, fromDefinition, name, sql, type Sql } from "../../definition/sql.ts";
import type { TableDefinition } from "../../definition/table.ts";

/** A column's value as text: bytes as 0x-hex. */
export function textOf({ columns }: TableDefinition, column: string): Sql {
  const isBytes = columns[column]?.stored.startsWith("FixedString") === true;
  return isBytes ? sql`concat('0x', lower(hex(${name(column)})))` : sql`toString(${name(column)})`;
}

/** The day of a source's row as text, moved back by the maximum lateness of its rows. */
export function dayOfRow({ timestamp, table, lateSeconds = 0 }: FoldSource): Sql {
  const column = name(timestamp);
  if (table.columns[timestamp]?.stored === "Date") return column;
  return sql`toDate(${column} - toIntervalSecond(${bind("UInt32", lateSeconds)}), 'UTC')`;
}

/** The sort order of a table whose first column is the key. */
export function sortedByKey({ key }: Fold, table: TableDefinition): Sql {
  const orders = { [table.name]: table.orderBy, ...table.copies };
  const found = Object.entries(orders).find(([, [first]]) => first === key);
  if (found === undefined) throw new TypeError(`no sort order of ${table.name} begins with ${key}`);
  return fromDefinition(found[0]);
}

const bytesOf = (hex: string, length: number): Sql =>
  sql`toFixedString(unhex(${bind("String", hex.slice(2))}), ${fromDefinition(String(length))})`;

/**
 * The columns of a table's key, for a SELECT, and their length in bytes; its RowBinary begins with them. Throws
 * TypeError if the key's columns are not the table's first ones, or have no fixed length.
 */
export function keyColumns(table: TableDefinition): { readonly columns: Sql; readonly length: number } {
  const columns = Object.keys(table.columns).slice(0, table.key.length);
  return {
    columns: fromDefinition(columns.join(", ")),
    length: columns.reduce((sum, column) => sum + bytesOfKey(table, column), 0),
  };
}

function bytesOfKey({ name: table, columns, key }: TableDefinition, column: string): number {
  const stored = columns[column]?.stored ?? "";
  const bytes = lengthOf(stored) ?? { Date: 2, UInt256: 32 }[stored];
  if (bytes === undefined || !key.includes(column))
    throw new TypeError(`${table}.${column} (${stored}) cannot be the key of a fold`);
  return bytes;
}

/** Bytes of a FixedString; undefined for any other type. */
export function lengthOf(stored: string): number | undefined {
  const length = /^FixedString\((\d+)\)$/.exec(stored)?.[1];
  return length === undefined ? undefined : Number(length);
}

export function keyLength({ into, key }: Fold): number {
  const length = lengthOf(into[0]?.columns[key]?.stored ?? "");
  if (length === undefined) throw new TypeError(`${key} of a fold is not made of bytes`);
  return length;
}

export const inRange = (column: string, { first, last }: KeyRange, length: number): Sql =>
  sql`${name(column)} >= ${bytesOf(first, length)} AND ${name(column)} <= ${bytesOf(last, length)}`;

/** Splits all keys into `count` (a power of two up to 2^32) equal ranges. */
export function* keyRanges(count: number, length: number): Generator<KeyRange> {
  const width = 2 ** 32 / count;
  const hex = (value: number, fill: string): string =>
    `0x${value.toString(16).padStart(8, "0")}${fill.repeat((length - 4) * 2)}`;
  for (let index = 0; index < count; index += 1) {
    yield { first: hex(index * width, "0"), last: hex((index + 1) * width - 1, "f") };
  }
}
