import { tables } from "../../../src/catalogue.ts";
import { fromDefinition, type Sql } from "../../../src/definition/sql.ts";
import type { ClusterNode } from "../../../src/store/cluster/cluster-node.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { openStore, type OpenStore } from "../../../src/store/open-store.ts";
import { readLines } from "../../../src/store/connection.ts";
import { MIGRATIONS } from "../../fixtures/open-test-store.ts";
import type { TestCluster } from "./start-cluster.ts";

/**
 * Opens the cluster's store as a serving process does, but checks the nodes ten times as often; `database` may differ
 * from the cluster's own.
 */
export function openClusterStore(
  cluster: TestCluster,
  { database = "almanac", silentMs }: { readonly database?: string; readonly silentMs?: number } = {},
): Promise<OpenStore> {
  const nodes = cluster.nodes.map(({ address }) => ({ ...address, database }));
  const looks = { everyMs: 100, ...(silentMs !== undefined && { silentMs }) };
  return openStore({ cluster: cluster.name, nodes, looks });
}

export const migrateCluster = (store: OpenStore): Promise<readonly string[]> => migrate(store, MIGRATIONS, tables);

export const nodesOf = (store: OpenStore): readonly ClusterNode[] => store.cluster?.list ?? [];

/** Rows that each node itself stores, ordered by shard, then replica. */
export function onEach<T>(store: OpenStore, statement: Sql): Promise<T[][]> {
  return Promise.all(nodesOf(store).map(({ shard }) => readLines<T>(shard, statement)));
}

/** The keys that each node stores in a table of fills, as text. */
export async function keysOnEach(store: OpenStore, table: string): Promise<string[][]> {
  const each = await onEach<{ key: string }>(
    store,
    fromDefinition(`SELECT concat(lower(hex(tx_hash)), lower(hex(order_hash))) AS key FROM ${table} ORDER BY key`),
  );
  return each.map((rows) => rows.map(({ key }) => key));
}
