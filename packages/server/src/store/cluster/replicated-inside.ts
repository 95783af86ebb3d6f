import { bind, sql } from "../../definition/sql.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { ClusterNodes } from "./cluster-nodes.ts";
import { shardDatabase } from "./cluster-place.ts";
import { readLines } from "./look-at-node.ts";

/**
 * Whether tables are made in the form whose replicas copy from each other: as they are, else as is wished. Throws where
 * the servers' `internal_replication` says otherwise: every row would be stored twice, or on one replica only.
 */
export async function requireForm(
  { name, isReplicatedInside }: ClusterNodes,
  nodes: readonly ClusterNode[],
  isWished: boolean,
): Promise<boolean> {
  const engines = await Promise.all(nodes.map(enginesOf));
  const held = new Set(engines.flat());
  const isReplicated = held.size === 0 ? isWished : held.has("Replicated");
  if (held.size > 1) throw new Error(`the cluster ${name} has tables of both forms: copy its store into a new cluster`);
  if (isWished && !isReplicated)
    throw new Error(
      `the cluster ${name} has tables that are not replicated: 'migrate --replicated' is for a new one; copy the store there`,
    );
  if (isReplicated && !isReplicatedInside)
    throw new Error(
      `set internal_replication to true for each shard of ${name} in remote_servers: its tables are replicated`,
    );
  if (!isReplicated && isReplicatedInside)
    throw new Error(
      `internal_replication is true for ${name}: make its tables by 'almanac migrate --replicated' (needs Keeper), or set it to false`,
    );
  return isReplicated;
}

async function enginesOf(node: ClusterNode): Promise<("Replicated" | "plain")[]> {
  const found = await readLines<{ replicated: 0 | 1 }>(
    node.bare,
    sql`SELECT DISTINCT startsWith(engine, 'Replicated') AS replicated FROM system.tables WHERE database = ${bind("String", shardDatabase(node.address.database))} AND endsWith(engine, 'MergeTree')`,
  );
  return found.map(({ replicated }) => (replicated ? "Replicated" : "plain"));
}
