import { ACTIVE_PARTS, PARTS_OF_ALL_REPLICAS, STORED_TABLES, WHOLE } from "../../definition/table-sql.ts";
import { connect, type Address, type Connection, type Settings } from "../connection.ts";

/** How often each node is polled, and how long it may take to answer. */
export type NodeLooks = { readonly everyMs: number; readonly silentMs: number };

/** A ClickHouse cluster: its name in the servers' `remote_servers`, and the HTTP address of each of its nodes. */
export type ClusterPlace = {
  readonly cluster: string;
  readonly nodes: readonly Address[];
  readonly looks?: Partial<NodeLooks>;
};

const SHARD_SUFFIX = "_shard";
/** The database of a node that holds the rows; the database that is queried has `Distributed` tables over it. */
export const shardDatabase = (database: string): string => `${database}${SHARD_SUFFIX}`;

/** Position of a node in the cluster, as reported by the node. Numbered from 1. */
export type NodePlace = { readonly shard: number; readonly replica: number };

export class ClusterNode {
  readonly address: Address;
  /** Uses the queried database: `Distributed` tables, dictionaries, staging tables. */
  readonly connection: Connection;
  /** Uses the database of the shard's own rows. */
  readonly shard: Connection;
  /** Used before either database exists. */
  readonly bare: Connection;
  /** Known after its first answer. */
  place: NodePlace | undefined;
  isThere = false;
  /** Newest migration that it has. */
  migration = 0;
  /** Statements that ended early for us: the node may still be executing them. */
  readonly abandoned = new Set<string>();

  constructor(address: Address) {
    this.address = address;
    this.connection = connect(address);
    this.shard = connect({ ...address, database: shardDatabase(address.database) });
    this.bare = connect({ ...address, database: "system" });
  }

  /** For the log and the operator: never contains a password. */
  get name(): string {
    const place = this.place ? ` (shard ${this.place.shard}, replica ${this.place.replica})` : "";
    return `${this.address.url}${place}`;
  }

  async close(): Promise<void> {
    if (this.isThere) await Promise.all([this.connection.close(), this.shard.close(), this.bare.close()]);
    else for (const each of [this.connection, this.shard, this.bare]) each.cut();
  }
}

const DICTIONARY_CALL = /\b(dict(?:Get|Has|Is)\w*)\('(\w+)'/g;

/** Qualifies names of the statement's own database so that the other nodes find them: they work in another database. */
export function qualified(text: string, database: string, cluster: string): string {
  const own = `database = '${shardDatabase(database)}'`;
  const where = `WHERE active AND ${own}`;
  return text
    .replaceAll(DICTIONARY_CALL, `$1('${database}.$2'`)
    .replaceAll(WHOLE, `${database}.`)
    .replaceAll(STORED_TABLES.text, `cluster('${cluster}', system.tables) WHERE ${own}`)
    .replaceAll(ACTIVE_PARTS.text, `cluster('${cluster}', system.parts) ${where}`)
    .replaceAll(PARTS_OF_ALL_REPLICAS.text, `clusterAllReplicas('${cluster}', system.parts) ${where}`);
}

/**
 * Settings for every statement over `Distributed` tables: a subquery in IN or JOIN is evaluated once, by the node that
 * is queried, and its rows are sent along (staging tables exist only there); a filter on a sharding key skips other
 * shards; an insert returns when every shard has its rows; INSERT … SELECT sends rows where they belong, not where they
 * were found. Hedged reads crash the server in ClickHouse 26.7.2 when a peer is lost. Without effect on a single
 * engine.
 */
export const CLUSTER_SETTINGS: Settings = {
  prefer_global_in_and_join: 1,
  distributed_product_mode: "global",
  optimize_skip_unused_shards: 1,
  optimize_distributed_group_by_sharding_key: 0,
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: 0,
  use_hedged_requests: 0,
  connect_timeout_with_failover_ms: 1_000,
  handshake_timeout_ms: 2_000,
};
