import type { InsertRow, TableDefinition } from "../definition/table.ts";
import type { Connection } from "./connection.ts";
import { sentColumns } from "./ddl.ts";

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
