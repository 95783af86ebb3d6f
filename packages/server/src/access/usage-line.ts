import type { UsageGroup } from "./gather-usage.ts";
import { quantileOf } from "./latency-buckets.ts";

/** A group of requests as it is shown. */
export type UsageLine = Omit<UsageGroup, "ms" | "times"> & {
  /** The key's name, or whose explorer it was. */
  readonly key_name: string | null;
  /** Whole time in the service. Quantiles are within 5 % (access/latency-buckets.ts); null where none were kept. */
  readonly ms_mean: number;
  readonly ms_p50: number | null;
  readonly ms_p95: number | null;
  readonly ms_p99: number | null;
};

export function toUsageLine(group: UsageGroup, nameOf: ReadonlyMap<string, string>): UsageLine {
  const { day, key_id, agent_id, status, requests, rows, bytes, ms, times } = group;
  const quantile = (share: number): number | null => {
    const told = quantileOf(times, share);
    return told === null ? null : rounded(told);
  };
  return {
    day,
    key_id,
    key_name: nameOf.get(key_id ?? "") ?? null,
    agent_id,
    status,
    requests,
    rows,
    bytes,
    ms_mean: rounded(ms / requests),
    ms_p50: quantile(0.5),
    ms_p95: quantile(0.95),
    ms_p99: quantile(0.99),
  };
}

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
