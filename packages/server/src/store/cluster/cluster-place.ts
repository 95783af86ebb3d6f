import type { Address } from "../connection.ts";

/** A ClickHouse cluster: its name in the servers' `remote_servers`, and the HTTP address of each of its nodes. */
export type ClusterPlace = { readonly cluster: string; readonly nodes: readonly Address[] };

/** The database of a node in which the rows are; the one that is asked holds `Distributed` tables over it. */
export const shardDatabase = (database: string): string => `${database}_shard`;
