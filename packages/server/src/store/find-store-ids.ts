import { sql } from "../definition/sql.ts";
import { readLines } from "./connection.ts";
import type { OpenStore } from "./open-store.ts";

type Id = { readonly id: string };

/** The engine gives a table its id when it is created and keeps it; zeros if its database has no ids. */
const IDS = sql`SELECT toString(uuid) AS id FROM system.tables WHERE database = currentDatabase() AND name = 'schema_migrations' AND uuid != toUUID('00000000-0000-0000-0000-000000000000')`;

/**
 * Returns the ids by which a migrated store is recognised: on a cluster one per node, of the nodes that answer and have
 * their rows. Throws StoreError.
 */
export async function findStoreIds(store: Pick<OpenStore, "rows" | "cluster">): Promise<readonly string[]> {
  if (store.cluster === undefined) return (await store.rows<Id>(IDS)).map(({ id }) => id);
  const requested = await Promise.allSettled(
    store.cluster.live.map(({ connection }) => readLines<Id>(connection, IDS)),
  );
  return requested.flatMap((said) => (said.status === "fulfilled" ? said.value.map(({ id }) => id) : []));
}
