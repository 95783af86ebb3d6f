import type { InsertRow, TableDefinition } from "../definition/table.ts";

/** The columns that make a row unique, as one text. */
export const rowKey = ({ key }: TableDefinition, row: InsertRow): string =>
  JSON.stringify(key.map((column) => row[column]));
