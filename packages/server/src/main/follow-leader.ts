import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import { followChanges, type ChangeFeed } from "../ingest/change-log/follow-changes.ts";
import type { Records } from "../records/records.ts";

type Shared = Pick<Config, "databaseUrl" | "clickhouseUrl" | "clickhouseCluster" | "servingBytes">;

/**
 * Follows the leader's changes, for processes that share one PostgreSQL and one ClickHouse server. Undefined if nothing
 * is published, and on a cluster: rows stored on one replica may not be readable on another yet.
 */
export async function followLeader(
  { databaseUrl, clickhouseUrl, clickhouseCluster, servingBytes }: Shared,
  { db }: Records,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<ChangeFeed | undefined> {
  const isShared = databaseUrl !== undefined && clickhouseUrl !== undefined && clickhouseCluster === undefined;
  return isShared && servingBytes !== 0 ? await followChanges({ db, clock: systemClock, log, signal }) : undefined;
}
