import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

interface UsageFigures {
  /** YYYY-MM-DD, UTC. */
  readonly day: string;
  readonly requests: number;
  readonly rows: number;
  readonly bytes: number;
  readonly ms_mean: number | null;
  readonly ms_p50: number | null;
  readonly ms_p95: number | null;
  readonly ms_p99: number | null;
}

/** One day of all that the filter lets through. */
export type UsageDay = UsageFigures;

export interface UsageLine extends UsageFigures {
  readonly key_id: string;
  readonly key_name: string | null;
  readonly agent_id: number;
  readonly status: number;
}

export interface Usage {
  readonly lines: readonly UsageLine[];
  readonly days: readonly UsageDay[];
}

export interface UsageFilter {
  readonly from: string;
  readonly to: string;
  readonly key?: string;
  readonly agent_id?: string;
  readonly status?: string;
}

/** The filter as the service reads it. */
export function toUsageQuery(filter: UsageFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  return new URLSearchParams(given as [string, string][]).toString();
}

export const useUsage = (filter: UsageFilter): UseQueryResult<Usage> => useRead(`/usage?${toUsageQuery(filter)}`);
