import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

export interface StoredTable {
  readonly name: string;
  readonly about: string | null;
  /** The table of which it is a copy in another order. */
  readonly copy_of: string | null;
  readonly rows: number;
  readonly bytes: number;
  /** Of `bytes`, what is in object storage. */
  readonly cold_bytes: number;
  readonly uncompressed_bytes: number;
  /** How many times smaller than the values themselves. */
  readonly compression: number | null;
  readonly parts: number;
  readonly oldest_at: string | null;
  readonly newest_at: string | null;
}

export interface StoreEngine {
  readonly version: string;
  readonly up_seconds: number;
  readonly queries: number;
  readonly merges: number;
  readonly memory_bytes: number | null;
  readonly memory_limit_bytes: number | null;
  readonly disk_free_bytes: number | null;
  readonly disk_total_bytes: number | null;
}

export interface StoreStatus {
  readonly engine: StoreEngine;
  /** When the last backup ended well; null where none ever did. */
  readonly last_backup_at: string | null;
  readonly tables: readonly StoredTable[];
}

const EVERY_MS = 30_000;

export const useStore = (): UseQueryResult<StoreStatus> => useRead("/operator/store", { everyMs: EVERY_MS });
