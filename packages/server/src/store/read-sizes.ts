import { ACTIVE_PARTS } from "../definition/table-sql.ts";
import { sql } from "../definition/sql.ts";
import type { Store } from "./store.ts";

/** Storage used by a table. */
export type TableSize = {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  /** The part of `bytes` that is in object storage. */
  readonly cold_bytes: number;
  /** Size of the same columns without compression. */
  readonly uncompressed_bytes: number;
  /** `uncompressed_bytes` over the columns' compressed bytes; null for an empty table. */
  readonly compression: number | null;
  readonly parts: number;
  /** ISO; of the rows, if the table is partitioned by time: the engine knows it without reading. Otherwise null. */
  readonly oldest_at: string | null;
  readonly newest_at: string | null;
  /** ISO; the last insert or merge. */
  readonly changed_at: string;
};

export type EngineSize = {
  readonly version: string;
  readonly up_seconds: number;
  /** Statements that run now, including this query, and merges. */
  readonly queries: number;
  readonly merges: number;
  /** Memory that the engine uses and the most it may use; null if it reports none. */
  readonly memory_bytes: number | null;
  readonly memory_limit_bytes: number | null;
  readonly disk_free_bytes: number | null;
  readonly disk_total_bytes: number | null;
};

export type StoreSizes = { readonly engine: EngineSize; readonly tables: readonly TableSize[] };

/**
 * Reads the store's size and its engine's free resources from the engine's system tables, no rows. Throws StoreError.
 */
export async function readSizes(store: Pick<Store, "rows">): Promise<StoreSizes> {
  const [tables, engines] = await Promise.all([store.rows<Numbers>(TABLES), store.rows<Numbers>(ENGINE)]);
  return { engine: toEngine(engines[0] ?? {}), tables: tables.map(toTable) };
}

/** 64-bit integers come as text. */
type Numbers = Record<string, string | number | null>;

const TABLES = sql`
  SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes,
    sumIf(bytes_on_disk, disk_name IN (SELECT name FROM system.disks WHERE type = 'ObjectStorage')) AS cold, sum(data_uncompressed_bytes) AS uncompressed,
    sum(data_compressed_bytes) AS compressed, count() AS parts,
    toString(if(max(max_time) > 0, min(min_time), toDateTime(min(min_date)))) AS oldest,
    toString(if(max(max_time) > 0, max(max_time), toDateTime(max(max_date)))) AS newest,
    toUnixTimestamp(max(modification_time)) AS changed
  FROM ${ACTIVE_PARTS} GROUP BY table ORDER BY sum(bytes_on_disk) DESC, table`;

const ENGINE = sql`
  SELECT version() AS version, uptime() AS up_seconds,
    (SELECT sum(value) FROM system.metrics WHERE metric = 'Query') AS queries,
    (SELECT count() FROM system.merges) AS merges,
    (SELECT max(value) FROM system.metrics WHERE metric = 'MemoryTracking') AS memory,
    (SELECT max(toUInt64OrZero(value)) FROM system.server_settings WHERE name = 'max_server_memory_usage') AS memory_limit,
    (SELECT sum(free_space) FROM system.disks WHERE type = 'Local') AS disk_free,
    (SELECT sum(total_space) FROM system.disks WHERE type = 'Local') AS disk_total`;

function toTable(row: Numbers): TableSize {
  const [uncompressed, compressed] = [Number(row["uncompressed"]), Number(row["compressed"])];
  return {
    name: String(row["name"]),
    rows: Number(row["rows"]),
    bytes: Number(row["bytes"]),
    cold_bytes: Number(row["cold"]),
    uncompressed_bytes: uncompressed,
    compression: compressed > 0 ? Math.round((uncompressed / compressed) * 100) / 100 : null,
    parts: Number(row["parts"]),
    oldest_at: timestampOf(row["oldest"]),
    newest_at: timestampOf(row["newest"]),
    changed_at: new Date(Number(row["changed"]) * 1000).toISOString(),
  };
}

function toEngine(row: Numbers): EngineSize {
  const given = (name: string): number | null => Number(row[name] ?? 0) || null;
  return {
    version: String(row["version"]),
    up_seconds: Number(row["up_seconds"]),
    queries: Number(row["queries"]),
    merges: Number(row["merges"]),
    memory_bytes: given("memory"),
    memory_limit_bytes: given("memory_limit"),
    disk_free_bytes: given("disk_free"),
    disk_total_bytes: given("disk_total"),
  };
}

/** The engine writes UTC; 1970 stands for none. */
function timestampOf(text: string | number | null | undefined): string | null {
  const timestamp = Date.parse(`${String(text).replace(" ", "T")}Z`);
  return timestamp > 0 ? new Date(timestamp).toISOString() : null;
}
