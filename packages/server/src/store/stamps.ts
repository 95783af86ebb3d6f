import { bind, name, nothing, sql, type Sql } from "../definition/sql.ts";
import type { TableDefinition } from "../definition/table.ts";
import { hasVersions } from "./ddl.ts";

/** What rows are stamped with, as version or moment of storing: microseconds since 1970 that never repeat or go back. */
export type Stamps = {
  /** By the machine's clock unless a moment (Unix ms) is given. */
  readonly next: (nowMs?: number) => bigint;
  /** Goes on behind a stamp that is stored: of a clock that was ahead of this one, or that was set back since. */
  readonly startAfter: (stamp: bigint) => void;
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
  };
}

/**
 * Finds the newest stamp of a table's rows that is ahead of another one: "0" where none is. Rows stored below it would
 * be taken for older ones, and passed over by whoever asks for what was stored since.
 */
export function newestAhead(table: TableDefinition, stamp: bigint): Sql | undefined {
  const at = bind("Int64", String(stamp));
  // Old rows may be in an object store that is away; what was stored ahead of now is not among them.
  const recent =
    table.cools === undefined
      ? nothing
      : sql`AND ${name(table.cools)} > fromUnixTimestamp64Micro(${at}) - toIntervalDay(${RECENT_DAYS})`;
  if (table.columns["ingested_at"] !== undefined)
    return sql`SELECT toString(toUnixTimestamp64Micro(max(ingested_at))) AS newest FROM ${table} WHERE ingested_at > fromUnixTimestamp64Micro(${at}) ${recent}`;
  if (!hasVersions(table)) return undefined;
  return sql`SELECT toString(max(version)) AS newest FROM ${table} WHERE version > ${at} ${recent}`;
}
