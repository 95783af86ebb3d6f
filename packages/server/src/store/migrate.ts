import type { TableDefinition } from "../definition/table.ts";
import { applyMissing, missingOf, type RequireAlone } from "./apply-missing.ts";
import { migrateCluster } from "./cluster/migrate-cluster.ts";
import { bringDictionaries, findStale, readMigrations } from "./dictionaries.ts";
import { inTurn } from "./in-turn.ts";
import type { OpenStore } from "./open-store.ts";

export type MigrationWish = {
  /** Asked where a table that has rows is laid anew by a copy. */
  readonly requireAlone?: RequireAlone;
};

/**
 * Applies the numbered migrations a store lacks; programs that do so at once take turns. A cluster needs the `tables`
 * that they make: it spreads rows by their sharding keys. Throws where the store is newer than this program or a file
 * was changed.
 */
export async function migrate(
  store: OpenStore,
  folder: string,
  tables?: readonly TableDefinition[],
  { requireAlone }: MigrationWish = {},
): Promise<readonly string[]> {
  const known = readMigrations(folder);
  if (store.cluster) {
    if (tables === undefined) throw new TypeError("a cluster is migrated with the tables' definitions");
    return migrateCluster(store.cluster, known, tables, requireAlone);
  }
  const [missing, stale] = [await missingOf(store, known), await findStale(store, known, store.address)];
  if (missing.length === 0 && stale.length === 0) return [];
  return inTurn(store, "migrate", async () => {
    const wish = { requireAlone, isReplicated: false };
    const applied = await applyMissing([{ journal: store, rows: store }], known, wish);
    await bringDictionaries(store, known, store.address);
    return applied.map(({ name }) => name);
  });
}
