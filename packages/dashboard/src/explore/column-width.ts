import type { Row } from "@almanac/client";
import { cellText } from "./cell-text.ts";
import type { DatasetColumn } from "./dataset.ts";

const LOOKED_AT = 60;
const CHAR_PX = 7.4;
const PADDING_PX = 26;
const HEAD_PADDING_PX = 44;
const WIDEST_PX = 340;

/** Width of a column, from its name and its first rows, so that it does not change while scrolling. */
export function columnWidth(column: DatasetColumn, rows: readonly Row[]): number {
  const longest = rows
    .slice(0, LOOKED_AT)
    .reduce((most, row) => Math.max(most, cellText(row[column.name], column).length), 1);
  const wanted = Math.max(longest * CHAR_PX + PADDING_PX, column.name.length * CHAR_PX + HEAD_PADDING_PX);
  return Math.round(Math.min(wanted, Math.max(WIDEST_PX, column.name.length * CHAR_PX + HEAD_PADDING_PX)));
}
