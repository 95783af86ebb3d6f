import type { TableDefinition } from "../definition/table.ts";
import { newestAhead } from "../store/stamps.ts";
import type { Store } from "../store/store.ts";

/**
 * Returns the newest stamp (microseconds since 1970) of the tables' rows that were stored with later stamps than the
 * time, before the clock was set back; 0 if there are none. Each table is read once, since later stamps of this process
 * are known.
 */
export function createStampsAhead(
  store: Pick<Store, "rows">,
  now: () => number,
): (tables: readonly TableDefinition[]) => Promise<number> {
  const known = new Map<string, Promise<number>>();
  const read = async (table: TableDefinition): Promise<number> => {
    const question = newestAhead(table, BigInt(Math.floor(now())) * 1_000n);
    const [row] = question === undefined ? [] : await store.rows<{ newest: string }>(question);
    return Number(row?.newest ?? 0);
  };
  return async (tables) => {
    const stamps = tables.map((table) => {
      const reading = known.get(table.name) ?? read(table);
      known.set(table.name, reading);
      reading.catch(() => known.delete(table.name));
      return reading;
    });
    return Math.max(0, ...(await Promise.all(stamps)));
  };
}
