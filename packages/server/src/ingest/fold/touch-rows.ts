import type { Day, Fold, FoldSource } from "../../definition/fold.ts";
import type { InsertRow, TableDefinition } from "../../definition/table.ts";
import { rowTimestamp } from "../timestamps.ts";
import { dayOf } from "../../definition/day-of.ts";
import { bind, fromDefinition, joined, name, sql } from "../../definition/sql.ts";
import type { Store, Taken } from "../../store/store.ts";
import { textOf } from "./key-sql.ts";

/** A touched value of a source: a key, or a value that leads to keys. */
export type Touch = { readonly source: number; readonly value: string; readonly day: Day };

/**
 * Values touched by stored rows of a table. Removed rows (`left`) may belong to an earlier day than their replacements,
 * so the replacements touch that day too. Throws TypeError if a time cannot be read.
 */
export function touchRows(
  fold: Fold,
  table: TableDefinition,
  rows: readonly InsertRow[],
  left: readonly InsertRow[],
  closed: Day,
): Touch[] {
  return fold.from.flatMap((source, index) => {
    if (source.table.name !== table.name) return [];
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

/** Keys of rows about to be removed: those of all rows between the first and the last of them. */
export function readLeaving(store: Pick<Store, "rows">, source: FoldSource, taken: Taken): Promise<InsertRow[]> {
  const { table, timestamp, columns } = source;
  const values = Object.keys(columns).map(
    (column) => sql`${textOf(table, column)} AS ${fromDefinition(`left_${column}`)}`,
  );
  const at = name(timestamp);
  return store
    .rows<Record<string, string>>(
      sql`SELECT DISTINCT ${joined(values, sql`, `)}, toString(toUnixTimestamp(${at})) AS left_at FROM ${table} WHERE ${at} >= toDateTime(${bind("String", taken.since)}, 'UTC') AND ${at} <= toDateTime(${bind("String", taken.until)}, 'UTC')`,
    )
    .then((rows) =>
      rows.map((row) => ({
        ...Object.fromEntries(Object.keys(columns).map((column) => [column, row[`left_${column}`]])),
        [timestamp]: Number(row["left_at"]),
      })),
    );
}
