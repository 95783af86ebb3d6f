import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

export interface Quota {
  readonly plan: string;
  readonly requests_per_minute: number;
  readonly burst: number;
  readonly max_page: number;
  readonly keys: readonly { readonly id: string; readonly remaining: number; readonly reset_seconds: number }[];
}

const EVERY_MS = 10_000;

export const useQuota = (): UseQueryResult<Quota> => useRead("/quota", { everyMs: EVERY_MS });
