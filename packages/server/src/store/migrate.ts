import { bind, sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { migrateCluster, type ClusterMigration } from "./cluster/migrate-cluster.ts";
import { JOURNAL } from "./journal.ts";
import type { OpenStore } from "./open-store.ts";
import { filledIn, readMigrations, requireKnown } from "./read-migrations.ts";

/**
 * Applies the numbered migrations a store lacks. A cluster needs the `tables` that they make: it spreads rows by their
 * sharding keys. Throws where the store is newer than this program or a file was changed.
 */
export async function migrate(
  store: OpenStore,
  folder: string,
  tables?: readonly TableDefinition[],
  wish: ClusterMigration = {},
): Promise<readonly string[]> {
  const known = readMigrations(folder);
  if (store.cluster) {
    if (tables === undefined) throw new TypeError("a cluster is migrated with the tables' definitions");
    return migrateCluster(store.cluster, known, tables, wish);
  }
  if (wish.isReplicated)
    throw new Error("--replicated is for a cluster: set CLICKHOUSE_CLUSTER and the addresses of its nodes");
  await store.run({ kind: "sql", text: JOURNAL, values: [] });
  const applied = await store.rows<{ number: number; digest: string }>(
    sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
  );
  requireKnown(known, applied);
  const missing = known.slice(applied.length);
  for (const migration of missing) {
    for (const text of migration.statements)
      await store.run({ kind: "sql", text: filledIn(text, store.address), values: [] });
    await store.run(
      sql`INSERT INTO schema_migrations (number, name, digest) VALUES (${bind("UInt32", migration.number)}, ${bind("String", migration.name)}, ${bind("String", migration.digest)})`,
    );
  }
  return missing.map((migration) => migration.name);
}
