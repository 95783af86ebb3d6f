import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import { followChanges, type ChangeFeed } from "../ingest/change-log/follow-changes.ts";
import type { Records } from "../records/records.ts";

type Shared = Pick<Config, "databaseUrl" | "clickhouseUrl" | "clickhouseCluster" | "servingBytes">;

/**
 * The leader's changes, for processes of one PostgreSQL and one ClickHouse server. Undefined where nothing is published,
 * and on a cluster: what was stored by one replica may not be read from another one yet.
 */
export async function followLeader(
  { databaseUrl, clickhouseUrl, clickhouseCluster, servingBytes }: Shared,
  { db }: Records,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<ChangeFeed | undefined> {
  const isShared = databaseUrl !== undefined && clickhouseUrl !== undefined && clickhouseCluster === undefined;
  return isShared && servingBytes !== 0 ? await followChanges({ db, clock: systemClock, log, signal }) : undefined;
}
