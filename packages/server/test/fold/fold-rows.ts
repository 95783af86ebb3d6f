import { fromDefinition } from "../../src/definition/sql.ts";
import { columnsIn, type TableDefinition } from "../../src/definition/table.ts";
import type { Store } from "../../src/store/store.ts";

/** The rows of tables as a reader sees them, without versions; throws if a copy differs. */
export async function foldRows(store: Store, tables: readonly TableDefinition[]): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of tables) {
    const own = await rowsOf(store, table, table.name);
    for (const copy of Object.keys(table.copies ?? {})) {
      const columns = columnsIn(table, copy);
      const [theirs, same] = [
        await rowsOf(store, table, copy, columns),
        await rowsOf(store, table, table.name, columns),
      ];
      if (theirs.join("\n") !== same.join("\n")) throw new Error(`${copy} says something else than ${table.name}`);
    }
    found[table.name] = own;
  }
  return found;
}

async function rowsOf(
  store: Store,
  table: TableDefinition,
  name: string,
  columns = columnsIn(table, name),
): Promise<string[]> {
  const list = columns.filter((column) => column !== "version").join(", ");
  const bytes = await store.read(
    fromDefinition(`SELECT ${list} FROM ${name} FINAL WHERE NOT is_gone ORDER BY ${table.key.join(", ")}`),
    { format: "TSV" },
  );
  return bytes
    .toString("latin1")
    .split("\n")
    .filter((line) => line !== "");
}

export async function emptyFold(store: Store, tables: readonly TableDefinition[]): Promise<void> {
  for (const table of tables) {
    for (const name of [table.name, ...Object.keys(table.copies ?? {})]) {
      await store.run(fromDefinition(`TRUNCATE TABLE ${name}`));
    }
  }
}
