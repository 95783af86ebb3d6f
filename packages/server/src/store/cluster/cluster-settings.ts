import type { Settings } from "../connection.ts";

/**
 * What every statement over `Distributed` tables needs: a subquery in IN or JOIN is answered once, by the node that is
 * asked, and its rows are sent along (staging tables are there only); a filter on a sharding key leaves other shards
 * alone; an insert returns when every shard has its rows; INSERT … SELECT sends rows where they belong, not where
 * they were found. Hedged reads end the server in ClickHouse 26.7.2 when a peer is lost. Of no meaning to a single engine.
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
