import { hasRows } from "../../store/backup/restore-tables.ts";
import type { OpenStore } from "../../store/open-store.ts";
import { MOVED } from "./moved.ts";

/** Whether a store holds a row of whatever table. */
export async function hasAnyRow(store: Pick<OpenStore, "rows" | "run">): Promise<boolean> {
  for (const table of MOVED) if (await hasRows({ store }, table)) return true;
  return false;
}
