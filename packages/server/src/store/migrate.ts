import { bind, fromDefinition, sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { migrateCluster, type MigrationWish } from "./cluster/migrate-cluster.ts";
import { nodeForm } from "./cluster/node-form.ts";
import { bringDictionaries, findStale } from "./dictionaries.ts";
import { inTurn } from "./in-turn.ts";
import { JOURNAL } from "./journal.ts";
import { findLaidAnew, guardLaidAnew } from "./laid-anew.ts";
import type { OpenStore } from "./open-store.ts";
import { readMigrations, requireKnown, type Migration } from "./read-migrations.ts";

/**
 * Applies the numbered migrations a store lacks; programs that do so at once take turns. A cluster needs the `tables`
 * that they make: it spreads rows by their sharding keys. Throws where the store is newer than this program or a file
 * was changed.
 */
export async function migrate(
  store: OpenStore,
  folder: string,
  tables?: readonly TableDefinition[],
  wish: MigrationWish = {},
): Promise<readonly string[]> {
  const known = readMigrations(folder);
  if (store.cluster) {
    if (tables === undefined) throw new TypeError("a cluster is migrated with the tables' definitions");
    return migrateCluster(store.cluster, known, tables, wish);
  }
  if (wish.isReplicated)
    throw new Error("--replicated is for a cluster: set CLICKHOUSE_CLUSTER and the addresses of its nodes");
  const [missing, stale] = [await missingOf(store, known), await findStale(store, known, store.address)];
  if (missing.length === 0 && stale.length === 0) return [];
  return inTurn(store, "migrate", async () => {
    const applied = await applyMissing(store, known, wish);
    await bringDictionaries(store, known, store.address);
    return applied.map(({ name }) => name);
  });
}

async function missingOf(store: OpenStore, known: readonly Migration[]): Promise<readonly Migration[]> {
  await store.run(fromDefinition(JOURNAL));
  const applied = await store.rows<{ number: number; digest: string }>(
    sql`SELECT number, digest FROM schema_migrations FINAL ORDER BY number`,
  );
  requireKnown(known, applied);
  return known.slice(applied.length);
}

/** One that was cut off is run again from its first statement on. */
async function applyMissing(
  store: OpenStore,
  known: readonly Migration[],
  { requireAlone }: MigrationWish,
): Promise<readonly Migration[]> {
  const missing = await missingOf(store, known);
  const check = await guardLaidAnew(await findLaidAnew(store, missing), requireAlone);
  for (const { number, name, digest, statements } of missing) {
    for (const form of statements.map((statement) => nodeForm(statement, false))) {
      await check(form.text);
      if (form.in === "shard") await store.run(fromDefinition(form.text));
    }
    await store.run(
      sql`INSERT INTO schema_migrations (number, name, digest) VALUES (${bind("UInt32", number)}, ${bind("String", name)}, ${bind("String", digest)})`,
    );
  }
  return missing;
}
