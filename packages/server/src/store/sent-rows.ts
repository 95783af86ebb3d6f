import { isPacked, type PackedRows } from "../definition/packed-rows.ts";
import type { InsertRow, TableDefinition } from "../definition/table.ts";
import { broughtColumns, type StagedRows } from "./stage-rows.ts";

export type SentRows = {
  readonly count: number;
  readonly data: Buffer;
  readonly staged: Omit<StagedRows, "version">;
};

/** Rows as they are sent: objects as JSON, packed ones as they are. */
export function sentRows(table: TableDefinition, rows: readonly InsertRow[] | PackedRows): SentRows {
  const sent = broughtColumns(table);
  const structureOf = (kind: "insert" | "stored"): string =>
    sent.map(([column, types]) => `${column} ${types[kind]}`).join(", ");
  if (isPacked(rows)) {
    const select = Object.fromEntries(sent.map(([column]) => [column, column]));
    const staged = { structure: structureOf("stored"), select, format: "RowBinary" };
    return { count: rows.starts.length, data: rows.bytes, staged };
  }
  const select = Object.fromEntries(sent.map(([column, { store }]) => [column, store ? store(column) : column]));
  const data = Buffer.from(rows.map((row) => JSON.stringify(row)).join("\n"), "utf8");
  return { count: rows.length, data, staged: { structure: structureOf("insert"), select, format: "JSONEachRow" } };
}
