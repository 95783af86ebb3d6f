import type { TableDefinition } from "../definition/table.ts";
import { fromDefinition } from "../definition/sql.ts";
import { applyMissing, missingOf, nodeForm, type RequireAlone } from "./apply-missing.ts";
import { migrateCluster, requireUpgradableNodes } from "./cluster/migrate-cluster.ts";
import { runnerOf } from "./connection.ts";
import { bringDictionaries, findStale } from "./dictionaries.ts";
import { withLock } from "./with-lock.ts";
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
  return withLock(store, "migrate", async () => {
    const wish = { requireAlone, isReplicated: false };
    const applied = await applyMissing([{ journal: store, rows: store }], known, wish);
    await bringDictionaries(store, tables, store.address);
    return applied.map(({ name }) => name);
  });
}

/**
 * Applies the migrations after `schema` again: rows of that schema were put into tables of the newest one. Can be
 * repeated if interrupted.
 */
export async function migrateRows(
  store: OpenStore,
  folder: string,
  tables: readonly TableDefinition[],
  schema: number,
): Promise<void> {
  const { cluster } = store;
  const later = readMigrations(folder, tables).filter(({ number }) => number > schema);
  if (later.length === 0) return;
  for (const statement of later.flatMap(({ statements }) => statements)) {
    const text = fromDefinition(nodeForm(statement, cluster?.isReplicated ?? false));
    if (cluster === undefined) await store.run(text);
    else for (const node of cluster.list) await runnerOf(node.shard).run(text);
  }
  // On a cluster, adapts the tables over the shards' tables.
  await migrate(store, folder, tables);
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
