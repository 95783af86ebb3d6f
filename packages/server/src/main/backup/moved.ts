import { tables } from "../../catalogue.ts";
import { toMovedTables } from "../../store/backup/moved-table.ts";
import { hasRows } from "../../store/backup/restore-tables.ts";
import type { OpenStore } from "../../store/open-store.ts";

/** Every table that holds rows, as it is backed up and restored. */
export const MOVED = toMovedTables(tables);

/** Whether a store holds a row of whatever table. */
export async function hasAnyRow(store: Pick<OpenStore, "rows">): Promise<boolean> {
  for (const table of MOVED) if (await hasRows({ store }, table)) return true;
  return false;
}
