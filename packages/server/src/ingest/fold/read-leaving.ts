import type { FoldSource } from "../../definition/fold.ts";
import { bind, fromDefinition, joined, name, sql } from "../../definition/sql.ts";
import type { InsertRow } from "../../definition/table.ts";
import type { Store, Taken } from "../../store/store.ts";
import { textOf } from "./key-sql.ts";

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
