import type { PackedRows } from "../definition/packed-rows.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Connection } from "./connection.ts";
import { sentRows, broughtColumns } from "./stage-rows.ts";
import { toNumbered } from "./statement.ts";

/** Adds rows as they are, without comparing: a repeated call stores them twice. Throws StoreError. */
export async function append(connection: Connection, table: TableDefinition, rows: PackedRows): Promise<void> {
  if (rows.starts.length === 0) return;
  const names = list(broughtColumns(table).map(([name]) => name));
  await connection.send(toNumbered(sql`INSERT INTO ${table} (${names}) FORMAT RowBinary`), { data: rows.bytes });
}

/** Adds the rows that match a condition; they carry no version, so all of them get this one. Throws StoreError. */
export async function appendChosen(
  connection: Connection,
  table: TableDefinition,
  rows: PackedRows,
  version: string,
  chosen: Sql,
): Promise<void> {
  if (rows.starts.length === 0) return;
  const { data, staged } = sentRows(table, rows);
  const names = list(broughtColumns(table).map(([name]) => name));
  const source = fromDefinition(staged.structure.replaceAll("'", "\\'"));
  const statement = sql`INSERT INTO ${table} (${names}, version) SELECT ${names}, ${bind("UInt64", version)} FROM input('${source}') WHERE ${chosen} FORMAT ${fromDefinition(staged.format)}`;
  await connection.send(toNumbered(statement), { data });
}

const list = (names: readonly string[]): Sql => fromDefinition(names.join(", "));
