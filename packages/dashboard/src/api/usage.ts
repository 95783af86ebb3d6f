import type { UsageDays, UsageLine, UsageReport } from "../../../server/src/access/read-usage.ts";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "./use-read.ts";

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
