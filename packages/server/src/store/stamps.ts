import { bind, name, nothing, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { hasVersions } from "./ddl.ts";

/** Stamps for rows, as version or time of storing: microseconds since 1970 that never repeat or go back. */
export type Stamps = {
  /** Uses the machine's clock unless a time (Unix ms) is given. */
  readonly next: (nowMs?: number) => bigint;
  /** Continues after a stored stamp, of a clock that was ahead of this one or was set back since. */
  readonly startAfter: (stamp: bigint) => void;
  /** No stamp so far is later; 0 before the first. */
  readonly newest: () => bigint;
};

const RECENT_DAYS = bind("UInt8", 2);

export function risingStamps(): Stamps {
  let last = 0n;
  return {
    next: (nowMs = Date.now()) => {
      const now = BigInt(Math.floor(nowMs)) * 1_000n;
      last = now > last ? now : last + 1n;
      return last;
    },
    startAfter: (stamp) => void (last = stamp > last ? stamp : last),
    newest: () => last,
  };
}

/**
 * Finds the newest stamp of a table's rows that is ahead of a given one, or "0" if none is. Rows stored with a lower
 * stamp would be taken for older ones and missed by any query for rows stored since.
 */
export function newestAhead(table: TableDefinition, stamp: bigint): Sql | undefined {
  const at = bind("Int64", String(stamp));
  // Old rows may be in an object store that is unavailable; rows stamped ahead of now are not among them.
  const recent =
    table.cools === undefined
      ? nothing
      : sql`AND ${name(table.cools)} > fromUnixTimestamp64Micro(${at}) - toIntervalDay(${RECENT_DAYS})`;
  if (table.columns["ingested_at"] !== undefined)
    return sql`SELECT toString(toUnixTimestamp64Micro(max(ingested_at))) AS newest FROM ${table} WHERE ingested_at > fromUnixTimestamp64Micro(${at}) ${recent}`;
  if (!hasVersions(table)) return undefined;
  return sql`SELECT toString(max(version)) AS newest FROM ${table} WHERE version > ${at} ${recent}`;
}
