import type { EngineSize, TableSize } from "../../../server/src/store/read-sizes.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./console-queries.ts";

export type StoredTable = TableSize & {
  readonly about: string | null;
  /** The table of which this is a copy in another sort order. */
  readonly copy_of: string | null;
};

export type StoreEngine = EngineSize;

export interface StoreStatus {
  readonly engine: StoreEngine;
  /** Time of the last successful backup; null if there was none. */
  readonly last_backup_at: string | null;
  readonly tables: readonly StoredTable[];
}

const EVERY_MS = 30_000;

export const useStore = (): UseQueryResult<StoreStatus> => useRead("/operator/store", { everyMs: EVERY_MS });
