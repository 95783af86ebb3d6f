import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

interface QuotaLeft {
  readonly id: string;
  readonly remaining: number;
  /** Burst of the bucket that limits: the account's, or the key's own. */
  readonly burst: number;
  readonly reset_seconds: number;
}

interface Room {
  readonly used: number;
  readonly most: number;
}

export interface Quota {
  readonly plan: string;
  readonly requests_per_minute: number;
  readonly burst: number;
  readonly max_page: number;
  readonly max_list: number;
  readonly at_once: number;
  readonly key_at_once: number;
  /** Active keys and enabled users, with how many the account may have. */
  readonly room: { readonly keys: Room; readonly users: Room };
  readonly keys: readonly QuotaLeft[];
  /** The account's remaining quota, shared by its keys and the explorer. */
  readonly explorer: QuotaLeft;
}

const EVERY_MS = 10_000;

export const useQuota = (): UseQueryResult<Quota> => useRead("/quota", { everyMs: EVERY_MS });
