import { bind, name, sql } from "../../definition/sql.ts";
import { readLines } from "../connection.ts";
import type { ClusterNode, NodePlace } from "./cluster-node.ts";

/** A node's report about itself and its cluster. */
export type NodeReport = {
  /** Undefined if the node does not find itself in the cluster. */
  readonly place: NodePlace | undefined;
  readonly replicas: number;
  readonly shards: number;
  /** `internal_replication`: replicas copy from each other through Keeper. */
  readonly isReplicated: boolean;
  readonly migration: number;
};

/** Queries a node's position and state. Throws StoreError. */
export async function lookAtNode(node: ClusterNode, cluster: string, signal: AbortSignal): Promise<NodeReport> {
  const { bare: connection, address } = node;
  const [found] = await readLines<{
    nodes: string;
    shards: string;
    own: [string, string][];
    inside: number;
    journal: number;
  }>(
    connection,
    sql`SELECT toString(count()) AS nodes, toString(uniqExact(shard_num)) AS shards,
      groupArrayIf((toString(shard_num), toString(replica_num)), is_local) AS own, max(internal_replication) AS inside,
      (SELECT toUInt8(count()) FROM system.tables WHERE database = ${bind("String", address.database)} AND name = 'schema_migrations') AS journal
      FROM system.clusters WHERE cluster = ${bind("String", cluster)}`,
    signal,
  );
  const own = found?.own[0];
  const [applied] = found?.journal
    ? await readLines<{ n: string }>(
        connection,
        sql`SELECT toString(max(number)) AS n FROM ${name(`${address.database}.schema_migrations`)}`,
        signal,
      )
    : [];
  return {
    place: own && { shard: Number(own[0]), replica: Number(own[1]) },
    replicas: Number(found?.nodes ?? 0),
    shards: Number(found?.shards ?? 0),
    isReplicated: found?.inside === 1,
    migration: Number(applied?.n ?? 0),
  };
}

/**
 * Assigns each node that answered its position. Throws if the addresses are not those of the cluster, or its replicas
 * do not copy from each other.
 */
export function placeNodes(
  cluster: string,
  nodes: readonly ClusterNode[],
  reports: readonly (NodeReport | undefined)[],
): void {
  const taken = new Map<string, ClusterNode>();
  for (const [index, node] of nodes.entries()) {
    const report = reports[index];
    if (report === undefined) continue;
    const { place, replicas, shards, isReplicated } = report;
    const { url } = node.address;
    if (replicas === 0) throw new Error(`${url} has no cluster ${cluster}: name one of its system.clusters`);
    if (replicas !== nodes.length)
      throw new Error(
        `CLICKHOUSE_URL names ${nodes.length} nodes, but the cluster ${cluster} has ${replicas} (asked ${url}): give the address of each, separated by commas`,
      );
    if (place === undefined)
      throw new Error(
        `${url} does not find itself in the cluster ${cluster}: its system.clusters must have one node with is_local`,
      );
    if (replicas > shards && !isReplicated)
      throw new Error(
        `${cluster} has several replicas of a shard: set internal_replication to true for each shard in remote_servers, so that they copy from each other by Keeper`,
      );
    const other = taken.get(`${place.shard} ${place.replica}`);
    if (other) throw new Error(`CLICKHOUSE_URL names ${url} and ${other.name}, which are the same node`);
    taken.set(`${place.shard} ${place.replica}`, node);
    [node.place, node.migration, node.isThere] = [place, report.migration, true];
  }
}
