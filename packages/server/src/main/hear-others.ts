import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import { hearStored, type Hearing } from "../ingest/stored/hear-stored.ts";
import type { Records } from "../records/records.ts";

type Shared = Pick<Config, "databaseUrl" | "clickhouseUrl" | "clickhouseCluster" | "servingBytes">;

/**
 * What processes of the same PostgreSQL and ClickHouse server hear of what is stored. Undefined where nobody tells, and on
 * a cluster: what was stored by one replica may not be read from another one yet.
 */
export async function hearOthers(
  { databaseUrl, clickhouseUrl, clickhouseCluster, servingBytes }: Shared,
  { db }: Records,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<Hearing | undefined> {
  const isShared = databaseUrl !== undefined && clickhouseUrl !== undefined && clickhouseCluster === undefined;
  return isShared && servingBytes !== 0 ? await hearStored({ db, clock: systemClock, log, signal }) : undefined;
}
