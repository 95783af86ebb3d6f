import type { PackedRows } from "../definition/packed-rows.ts";
import { bind, fromDefinition, sql, type Sql } from "../definition/sql.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Connection } from "./connection.ts";
import { sentColumns } from "./ddl.ts";
import { sentRows, broughtColumns } from "./stage-rows.ts";
import { toNumbered } from "./statement.ts";

/** Adds rows as they are: nothing is compared, a repeated call stores them twice. Throws StoreError. */
export async function append(
  connection: Connection,
  table: TableDefinition,
  rows: readonly InsertRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const columns = sentColumns(table).filter(([name]) => rows.some((row) => name in row));
  const names = columns.map(([name]) => name).join(", ");
  const structure = columns.map(([name, { insert }]) => `${name} ${insert}`).join(", ");
  const values = columns.map(([name, { store }]) => (store ? store(name) : name)).join(", ");
  const text = `INSERT INTO ${table.name} (${names}) SELECT ${values} FROM input('${structure.replaceAll("'", "\\'")}') FORMAT JSONEachRow`;
  const data = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"));
  await connection.send({ text, parameters: [] }, { settings: { date_time_input_format: "best_effort" }, data });
}

/** The same of packed rows that a condition chooses. They bring no version: all of them get this one. Throws StoreError. */
export async function appendPacked(
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
