import { bind, name, sql, type Sql } from "../../definition/sql.ts";
import type { Connection } from "../connection.ts";
import { toNumbered } from "../statement.ts";
import type { ClusterNode, NodePlace } from "./cluster-node.ts";

/** What a node says of itself and of its cluster. */
export type NodeReport = {
  /** Undefined where the node finds itself nowhere in the cluster. */
  readonly place: NodePlace | undefined;
  readonly replicas: number;
  readonly shards: number;
  /** Replicas copy from each other (Replicated… tables); else every write goes to each. */
  readonly isReplicatedInside: boolean;
  readonly migration: number;
};

/** Asks a node who it is. Throws StoreError. */
export async function lookAtNode(node: ClusterNode, cluster: string, signal?: AbortSignal): Promise<NodeReport> {
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
    isReplicatedInside: found?.inside === 1,
    migration: Number(applied?.n ?? 0),
  };
}

/** Rows as objects; 64-bit integers only as text. */
export async function readLines<T>(connection: Connection, statement: Sql, signal?: AbortSignal): Promise<T[]> {
  const { bytes } = await connection.send(toNumbered(sql`${statement} FORMAT JSONEachRow`), signal ? { signal } : {});
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
