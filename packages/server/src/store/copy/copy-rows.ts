import { fromDefinition, sql, type Sql } from "../../definition/sql.ts";
import { rowsOf } from "./checksum.ts";
import { metered } from "./metered.ts";
import type { Move } from "./move.ts";
import { columnList, type MovedTable } from "./moved-table.ts";
import { putRows } from "./put-rows.ts";

/** Streams rows of a table from the source to the target, where they take the place of what it had of them. */
export async function copyRows(move: Move, table: MovedTable, where: Sql, isNew: boolean): Promise<void> {
  const list = fromDefinition(columnList(table));
  const read = await move.source.pipe.read(sql`SELECT ${list} FROM ${rowsOf(table)} WHERE ${where} FORMAT Native`);
  await putRows(move.target, table, { where, isNew, format: "Native", rows: metered(read, move) });
}
