import type { UsageDays, UsageLine, UsageReport } from "../../../server/src/access/read-usage.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./console-queries.ts";

export type { UsageLine };

export type Usage = Omit<UsageReport, "from" | "to"> & UsageDays;

export interface UsageFilter {
  readonly from: string;
  readonly to: string;
  readonly key?: string;
  readonly agent_id?: string;
  readonly status?: string;
  /** An account's id; for operators. */
  readonly account?: string;
}

/** Grouping of the lines; by all four fields if absent. */
type UsageGrains = "day,status" | "day,dataset" | "dataset";

/** The filter as the service's query string. */
export function toUsageQuery(filter: UsageFilter & { readonly by?: UsageGrains }): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given as [string, string][]).toString();
}

export const useUsage = (filter: UsageFilter, by?: UsageGrains): UseQueryResult<Usage> =>
  useRead(`/usage?${toUsageQuery(by === undefined ? filter : { ...filter, by })}`);

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
