import { fromDefinition, nothing, sql, type Sql } from "../../packages/server/src/definition/sql.ts";
import type { TableDefinition } from "../../packages/server/src/definition/table.ts";
import type { House } from "./open-house.ts";

/** Rows stored in a table, each once where rows are replaced. */
export async function countRows(
  { store }: Pick<House, "store">,
  table: TableDefinition,
  where: Sql = sql`1`,
): Promise<number> {
  const final = table.engine.startsWith("Replacing") ? fromDefinition("FINAL") : nothing;
  const [row] = await store.rows<{ rows: string }>(sql`SELECT count() AS rows FROM ${table} ${final} WHERE ${where}`);
  return Number(row?.rows);
}
