import type { Row } from "@almanac/client";
import { compareValues, type SortValue } from "../ui/compare-values.ts";
import type { DatasetColumn } from "./dataset.ts";

export type Sort = { readonly column: string; readonly isDescending: boolean };

/** Rows in the order of a column: figures by value whether numbers or decimal strings, null last either way; else as they came. */
export function sortRows(
  rows: readonly Row[],
  column: DatasetColumn | undefined,
  isDescending: boolean,
): readonly Row[] {
  if (column === undefined) return rows;
  const sign = isDescending ? -1 : 1;
  const keyed = rows.map((row, index) => ({ row, index, key: keyOf(row[column.name], column.wire) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null) || a.index - b.index;
    return sign * compareKeys(a.key, b.key, column.wire) || a.index - b.index;
  });
  return keyed.map((one) => one.row);
}

type Key = Exclude<SortValue, undefined>;

function keyOf(value: unknown, wire: string): Key {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return value.length;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Without the Z a moment with fewer decimals sorts before one with more.
  return wire === "iso" ? text.replace(/Z$/, "") : text;
}

const isFigure = (wire: string): boolean => wire === "num" || wire === "int" || wire.startsWith("dec");

function compareKeys(a: NonNullable<Key>, b: NonNullable<Key>, wire: string): number {
  if (isFigure(wire) || typeof a === "number") return compareValues(a, b);
  if (wire === "text") return String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: "base" });
  if (/^\d+$/.test(String(a)) && /^\d+$/.test(String(b))) return compareValues(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
