import type { EngineSize, TableSize } from "../../../server/src/store/read-sizes.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

export type StoredTable = TableSize & {
  readonly about: string | null;
  /** The table of which it is a copy in another order. */
  readonly copy_of: string | null;
};

export type StoreEngine = EngineSize;

export interface StoreStatus {
  readonly engine: StoreEngine;
  /** When the last backup ended well; null where none ever did. */
  readonly last_backup_at: string | null;
  readonly tables: readonly StoredTable[];
}

const EVERY_MS = 30_000;

export const useStore = (): UseQueryResult<StoreStatus> => useRead("/operator/store", { everyMs: EVERY_MS });
