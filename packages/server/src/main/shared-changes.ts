import { CURRENT_MS, type ChangeFeed, followChanges } from "../ingest/change-log/follow-changes.ts";
import type { TableDefinition } from "../definition/table.ts";
import type { Left } from "../store/change-counts.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { Logger } from "pino";
import type { Config } from "../config.ts";
import { systemClock } from "../ingest/clock.ts";
import type { Records } from "../records/records.ts";
import type { OpenRedis } from "../access/redis/open-redis.ts";

/** Maximum clock skew (ms) between processes, rows and records, whose timestamps are compared. */
export const CLOCKS_APART_MS = 2000;

/** Source of changes for a process's indexes, with their store access and whether they may answer. */
export type ChangeSource = {
  readonly store: Pick<OpenStore, "read" | "rows" | "stampOf" | "isWriting">;
  readonly begin: (changed: (table: string, left?: Left) => void, missed: () => void) => void;
  readonly isCurrent: () => boolean;
  /** Lag of the source itself (ms). */
  readonly behindMs: () => number;
  /**
   * Time up to which an index with all changes delivered so far is complete (microseconds since 1970); undefined: no
   * lag.
   */
  readonly asOf: () => number | undefined;
};

/** For a process that has the engine to itself and is its only writer. */
export const storeChanges = (store: OpenStore): ChangeSource => ({
  store,
  begin: (changed) => store.onChanged(({ name }, left) => changed(name, left)),
  isCurrent: () => true,
  behindMs: () => 0,
  asOf: () => undefined,
});

/** For processes that share an engine: the leader's change log, whose changes also invalidate cached answers. */
export const loggedChanges = (
  { read, rows, stampOf, outdated }: OpenStore,
  { begin, isCurrent, behindMs }: ChangeFeed,
  tables: readonly TableDefinition[],
): ChangeSource => ({
  // Others may write at any time, so an index can never match its contents to known parts of a table.
  store: { read, rows, stampOf, isWriting: () => true },
  begin: (changed, missed) =>
    begin({
      changed: (name, left) => {
        for (const table of tables) if (table.name === name) outdated(table);
        changed(name, left);
      },
      missed: () => {
        for (const table of tables) outdated(table);
        missed();
      },
    }),
  isCurrent,
  behindMs: () => (isCurrent() ? 0 : behindMs()),
  asOf: () => (Date.now() - CURRENT_MS - CLOCKS_APART_MS) * 1000,
});

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

/** Minimum interval between messages for one table: a stream may store many times a second. */
const EVERY_MS = 100;

/**
 * Publishes to the other processes which tables this one stored in, and receives theirs, so that outdated cached
 * answers are not served. While Redis is down cached answers live their one second, as without it.
 */
export function shareChanges(
  store: Pick<OpenStore, "onChanged" | "outdated">,
  redis: Pick<OpenRedis, "publish" | "listen">,
  tables: readonly TableDefinition[],
): void {
  const waiting = new Set<string>();
  const reported = new Map<string, number>();
  const report = (name: string): void => {
    waiting.delete(name);
    reported.set(name, performance.now());
    redis.publish(channelOf(name));
  };
  store.onChanged(({ name }) => {
    if (waiting.has(name)) return;
    const rest = (reported.get(name) ?? -EVERY_MS) + EVERY_MS - performance.now();
    if (rest <= 0) return report(name);
    waiting.add(name);
    setTimeout(() => report(name), rest).unref();
  });
  for (const table of tables) redis.listen(channelOf(table.name), () => store.outdated(table));
}

const channelOf = (table: string): string => `almanac:stored:${table}`;
