import type { TableRows } from "../../definition/connector.ts";
import type { InsertRow } from "../../definition/table.ts";

type Gathered = Omit<TableRows, "rows"> & { readonly rows: InsertRow[] };

/** Rows of many frames, grouped by table for one insert each; the order within a table is kept. */
export type RowBuffer = {
  readonly add: (rows: readonly TableRows[]) => void;
  readonly count: () => number;
  readonly takeAll: () => readonly TableRows[];
};

export function createRowBuffer(): RowBuffer {
  let byTable = new Map<string, Gathered>();
  let count = 0;
  return {
    add: (given) => {
      for (const { table, rows, mode } of given) {
        const key = `${table.name} ${mode ?? ""}`;
        const gathered = byTable.get(key) ?? { table, rows: [], ...(mode === undefined ? {} : { mode }) };
        byTable.set(key, gathered);
        for (const row of rows) gathered.rows.push(row);
        count += rows.length;
      }
    },
    count: () => count,
    takeAll: () => {
      const all = [...byTable.values()];
      byTable = new Map();
      count = 0;
      return all;
    },
  };
}
