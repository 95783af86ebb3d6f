import type { Day, Fold, FoldSource } from "../../definition/fold.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";
import { rowTimestamp } from "../timestamps.ts";
import { dayOf } from "../../definition/day-of.ts";

/** A touched value of a source: a key, or a value that leads to keys. */
export type Touch = { readonly source: number; readonly value: string; readonly day: Day };

/**
 * Values touched by stored rows of a table. Removed rows (`left`) may belong to an earlier day than their replacements,
 * so the replacements touch that day too. Throws TypeError if a time cannot be read.
 */
export function touchRows(
  fold: Fold,
  { name }: TableDefinition,
  rows: readonly InsertRow[],
  left: readonly InsertRow[],
  closed: Day,
): Touch[] {
  return fold.from.flatMap((source, index) => {
    if (source.table.name !== name) return [];
    const earliest = left.map((row) => dayOfRow(source, row)).toSorted()[0];
    return [
      ...left.flatMap((row) => touch(source, index, row, undefined)),
      ...rows.flatMap((row) => (source.only?.row(row) === false ? [] : touch(source, index, row, earliest))),
    ].filter(({ day }) => !source.isOfClosedDays || day <= closed);
  });
}

function touch(source: FoldSource, index: number, row: InsertRow, earliest: Day | undefined): Touch[] {
  const own = dayOfRow(source, row);
  const day = earliest !== undefined && earliest < own ? earliest : own;
  return Object.keys(source.columns).flatMap((column) => {
    const value = row[column];
    return value === undefined ? [] : [{ source: index, value: String(value).toLowerCase(), day }];
  });
}

const dayOfRow = ({ timestamp }: FoldSource, row: InsertRow): Day => dayOf(rowTimestamp(row[timestamp]));
