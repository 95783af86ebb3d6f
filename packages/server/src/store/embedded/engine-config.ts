import { createHash } from "node:crypto";

export type EngineConfig = {
  readonly password: string;
  readonly usersFile: string;
  readonly logFile: string;
  readonly memoryBytes: number;
  /** Size of the mark cache; half as much is used for uncompressed data. */
  readonly cacheBytes: number;
  /** Number of threads that merge. */
  readonly mergers: number;
  /** Further settings of the server, in its configuration format: the nodes of a cluster. */
  readonly more?: string;
  /** Default settings of every statement, in the server's configuration format. */
  readonly profile?: string;
};

/**
 * How often each table checks by itself for something to merge, and for streams to feed, of which there are none. Every
 * insert and every finished merge triggers a check at once, so the checks in between may be rare: with the engine's own
 * tenth of a second a hundred idle tables take 3 % of a core. A deletion that meets a merge waits for the next check,
 * to which the engine would add up to a second at random. Checks that find nothing become less and less frequent.
 */
const LOOKS = `  <background_processing_pool_thread_sleep_seconds_if_nothing_to_do>0.25</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_processing_pool_task_sleep_seconds_when_no_work_random_part>0.1</background_processing_pool_task_sleep_seconds_when_no_work_random_part>
  <background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>3600</background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_streaming_processing_pool_task_sleep_seconds_when_no_work_max>3600</background_streaming_processing_pool_task_sleep_seconds_when_no_work_max>
`;

/**
 * Minimum and maximum of each column of a part, by which entire parts are pruned from a read. The engine would also
 * count distinct values, which is 8 % of a merge and only serves plans by statistics (see STATISTICS_UNREAD).
 */
const STATISTICS = `  <merge_tree><auto_statistics_types>basic</auto_statistics_types></merge_tree>
`;

/** A plan by statistics first reads those of each new part from disk: a twentieth of a small statement's time. */
const STATISTICS_UNREAD = "<use_statistics>0</use_statistics>";

/** A text as the content of an XML element. */
export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Sized for a laptop alongside other work: small pools, no system logs. */
export function nodeXml(config: EngineConfig): string {
  return `<clickhouse>
  <logger><level>warning</level><log>${escaped(config.logFile)}</log><size>10M</size><count>2</count><console>false</console></logger>
  <users_config>${escaped(config.usersFile)}</users_config>
  <max_server_memory_usage>${config.memoryBytes}</max_server_memory_usage>
  <background_pool_size>${config.mergers}</background_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <background_common_pool_size>4</background_common_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <mark_cache_size>${config.cacheBytes}</mark_cache_size>
  <uncompressed_cache_size>${config.cacheBytes / 2}</uncompressed_cache_size>
  <max_concurrent_queries>200</max_concurrent_queries>
  <keep_alive_timeout>60</keep_alive_timeout>
${LOOKS}${STATISTICS}${config.more ?? ""}</clickhouse>
`;
}

/**
 * The engine's own start-up session is the user `default` without a password, so that user gets one session only: no
 * other process on the machine can log in as it.
 */
export function usersXml(config: EngineConfig): string {
  const digest = createHash("sha256").update(config.password).digest("hex");
  return `<clickhouse>
  <profiles><default>${STATISTICS_UNREAD}${config.profile ?? ""}</default><startup><max_sessions_for_user>1</max_sessions_for_user></startup></profiles>
  <users>
    <default><password></password><networks><ip>127.0.0.1</ip></networks><profile>startup</profile><quota>default</quota></default>
    <almanac><password_sha256_hex>${digest}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></almanac>
  </users>
  <quotas><default/></quotas>
</clickhouse>
`;
}
