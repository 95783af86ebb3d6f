import type { TableDefinition } from "../../../src/definition/table.ts";

/** Names of the columns a connector must provide: all but those the store fills by itself. */
export function insertable(table: TableDefinition): string[] {
  return Object.entries(table.columns)
    .filter(([name, column]) => name !== "version" && !("default" in column) && !("materialized" in column))
    .map(([name]) => name)
    .sort();
}
