import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

export interface StoredTable {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
  readonly uncompressed_bytes: number;
  readonly parts: number;
}

export interface StoreStatus {
  readonly tables: readonly StoredTable[];
}

const EVERY_MS = 30_000;

export const useStore = (): UseQueryResult<StoreStatus> => useRead("/operator/store", { everyMs: EVERY_MS });
