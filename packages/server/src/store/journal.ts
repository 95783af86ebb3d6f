/** Which migrations an engine has; on a cluster every node has its own. */
export const JOURNAL = `CREATE TABLE IF NOT EXISTS schema_migrations (number UInt32, name String, digest String, applied_at DateTime('UTC') DEFAULT now('UTC')) ENGINE = ReplacingMergeTree ORDER BY number`;
