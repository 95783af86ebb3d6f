import type { Row } from "@almanac/client";
import { compareValues, type SortValue } from "../ui/compare-values.ts";
import type { TableColumn } from "../ui/table-column.ts";
import { isFigure } from "./cell-text.ts";
import type { DatasetColumn } from "./dataset.ts";

type SortOf = Required<Pick<TableColumn<Row>, "sortValue" | "compare" | "isLargestFirst">>;

/** Sort order of a dataset's column: figures by value, whether numbers or decimal strings; words by locale. */
export function sortOf({ name, wire }: DatasetColumn): SortOf {
  return {
    sortValue: (row) => keyOf(row[name], wire),
    compare: isFigure(wire) || wire === "text" ? compareValues : compareCodes,
    isLargestFirst: wire !== "text" && wire !== "id",
  };
}

function keyOf(value: unknown, wire: string): SortValue {
  if (value === null || value === undefined || typeof value === "number") return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return value.length;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  // Without the Z, a timestamp with fewer decimals sorts before one with more.
  return wire === "iso" ? text.replace(/Z$/, "") : text;
}

const DIGITS = /^\d+$/;

/** Compares token ids as numbers; hashes and timestamps character by character. */
function compareCodes(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === "number" || (DIGITS.test(String(a)) && DIGITS.test(String(b)))) return compareValues(a, b);
  return a < b ? -1 : a > b ? 1 : 0;
}
