import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

/** What was asked in a group of requests; null where the group is not of one day, key, dataset or status. */
export interface UsageLine {
  /** YYYY-MM-DD, UTC. */
  readonly day: string | null;
  readonly key_id: string | null;
  readonly key_name: string | null;
  /** 0 where no dataset was recognised. */
  readonly agent_id: number | null;
  readonly status: number | null;
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
  /** Quantiles are within 5 %; null where none were kept. */
  readonly ms_mean: number;
  readonly ms_p50: number | null;
  readonly ms_p95: number | null;
  readonly ms_p99: number | null;
}

export interface Usage {
  /** Newest day first, then the most asked. */
  readonly lines: readonly UsageLine[];
  /** Lines of the fewest requests of the oldest days are left out. */
  readonly has_more: boolean;
  readonly days: readonly UsageLine[];
  /** null: nothing was asked. */
  readonly total: UsageLine | null;
}

export interface UsageFilter {
  readonly from: string;
  readonly to: string;
  readonly key?: string;
  readonly agent_id?: string;
  readonly status?: string;
  /** An account's id; for operators. */
  readonly account?: string;
}

/** By what lines are told apart; all four where it is left out. */
type UsageGrains = "day,status" | "day,dataset" | "dataset";

/** The filter as the service reads it. */
export function toUsageQuery(filter: UsageFilter & { readonly by?: UsageGrains }): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given as [string, string][]).toString();
}

export const useUsage = (filter: UsageFilter, by?: UsageGrains): UseQueryResult<Usage> =>
  useRead(`/usage?${toUsageQuery(by === undefined ? filter : { ...filter, by })}`);
