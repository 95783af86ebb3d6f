import type { TableDefinition } from "../definition/table.ts";
import { applyMissing, missingOf, type RequireAlone } from "./apply-missing.ts";
import { migrateCluster, requireUpgradableNodes } from "./cluster/migrate-cluster.ts";
import { bringDictionaries, findStale } from "./dictionaries.ts";
import { inTurn } from "./in-turn.ts";
import { readMigrations } from "./migrations.ts";
import type { OpenStore } from "./open-store.ts";

export type MigrationWish = {
  /** Called before a table that has rows is rebuilt by a copy. */
  readonly requireAlone?: RequireAlone;
};

/**
 * Creates the schema of `tables` in an empty store, and applies to an older one the numbered migrations of a folder
 * that it lacks; concurrent programs are serialised by a lock. Throws if the store is newer than this program or older
 * than the first migration, or if a file was changed.
 */
export async function migrate(
  store: OpenStore,
  folder: string,
  tables: readonly TableDefinition[],
  { requireAlone }: MigrationWish = {},
): Promise<readonly string[]> {
  const known = readMigrations(folder, tables);
  if (store.cluster) return migrateCluster(store.cluster, known, tables, requireAlone);
  const [missing, stale] = [await missingOf(store, known), await findStale(store, tables, store.address)];
  if (missing.length === 0 && stale.length === 0) return [];
  return inTurn(store, "migrate", async () => {
    const wish = { requireAlone, isReplicated: false };
    const applied = await applyMissing([{ journal: store, rows: store }], known, wish);
    await bringDictionaries(store, tables, store.address);
    return applied.map(({ name }) => name);
  });
}

/** Throws if `migrate` would refuse the version of the store, or of a node of it that answers. */
export async function requireUpgradable(
  store: OpenStore,
  folder: string,
  tables: readonly TableDefinition[],
): Promise<void> {
  const known = readMigrations(folder, tables);
  if (store.cluster) await requireUpgradableNodes(store.cluster, known);
  else await missingOf(store, known);
}
