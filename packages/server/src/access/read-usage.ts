import { sql } from "kysely";
import type { z } from "zod";
import type { Desk } from "./desk.ts";
import { quantileOf } from "./latency-buckets.ts";
import { readInput } from "./read-input.ts";
import { usageDays, usageInput, type UsageGrain, type UsageInput } from "./usage-input.ts";

/** What was asked in a group of requests; null where the group is not of one day, key, dataset or status. */
export type UsageLine = {
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
  /** Whole time in the service. Quantiles are within 5 % (access/latency-buckets.ts); null where none were kept. */
  readonly ms_mean: number;
  readonly ms_p50: number | null;
  readonly ms_p95: number | null;
  readonly ms_p99: number | null;
};

export type UsageReport = {
  readonly from: string;
  readonly to: string;
  /** Newest day first, then the most asked. */
  readonly lines: readonly UsageLine[];
  /** There are more lines than asked for at most: those of the fewest requests of the oldest days are left out. */
  readonly has_more: boolean;
};

/**
 * What an account's keys, and its users in the explorer, were used for: `atMost` lines.
 * Throws AccessError: invalid input, days that run backwards or are more than 400.
 */
export async function readUsage(
  desk: Pick<Desk, "db" | "clock">,
  accountId: string,
  asked: UsageInput,
  atMost: number,
): Promise<UsageReport> {
  const wanted = readInput(usageInput, asked);
  const days = usageDays(wanted, desk.clock());
  const found = await statementOf(accountId, { ...wanted, ...days }, atMost + 1).execute(desk.db);
  return { ...days, lines: found.rows.slice(0, atMost).map(toLine), has_more: found.rows.length > atMost };
}

type Wanted = z.output<typeof usageInput> & { readonly from: string; readonly to: string };

type Found = Omit<UsageLine, "ms_mean" | "ms_p50" | "ms_p95" | "ms_p99"> & {
  readonly ms: number;
  /** Bucket → requests. */
  readonly times: Readonly<Record<string, number>> | null;
};

function statementOf(accountId: string, { from, to, key, agent_id, status, by }: Wanted, limit: number) {
  const is = (grain: UsageGrain): boolean => by.includes(grain);
  // Groups have no null in them, so that they can be joined by equality; what is not told apart is one empty value.
  return sql<Found>`
    with owned as (
      select id, name from api_keys where account_id = ${accountId}
      union all
      select id, 'Explorer (' || name || ')' from users where account_id = ${accountId}
    ), picked as (
      select ${is("day") ? sql`cast(usage.day as text)` : sql`''`} as day,
        ${is("key") ? sql`usage.key_id` : sql`''`} as key_id,
        ${is("dataset") ? sql`usage.agent_id` : sql`-1`} as agent_id,
        ${is("status") ? sql`usage.status` : sql`-1`} as status,
        requests, rows, bytes, ms, ms_buckets, ms_counts
      from usage join owned on owned.id = usage.key_id
      where usage.day between cast(${from} as date) and cast(${to} as date)
        ${key === undefined ? sql`` : sql`and usage.key_id = ${key}`}
        ${agent_id === undefined ? sql`` : sql`and usage.agent_id = ${agent_id}`}
        ${status === undefined ? sql`` : sql`and usage.status between ${status[0]} and ${status[1]}`}
    ), lines as (
      select day, key_id, agent_id, status, cast(sum(requests) as bigint) as requests,
        cast(sum(rows) as bigint) as rows, cast(sum(bytes) as bigint) as bytes, cast(sum(ms) as bigint) as ms
      from picked group by day, key_id, agent_id, status
      order by day desc, requests desc, key_id, agent_id, status limit ${limit}
    ), buckets as (
      select day, key_id, agent_id, status, bucket, sum(count) as count
      from picked, unnest(ms_buckets, ms_counts) as pair (bucket, count)
      group by day, key_id, agent_id, status, bucket
    ), times as (
      select day, key_id, agent_id, status, jsonb_object_agg(bucket, count) as times
      from buckets group by day, key_id, agent_id, status
    )
    select nullif(day, '') as day, nullif(key_id, '') as key_id, owned.name as key_name,
      nullif(agent_id, -1) as agent_id, nullif(status, -1) as status, requests, rows, bytes, ms, times
    from lines left join times using (day, key_id, agent_id, status) left join owned on owned.id = key_id
    order by lines.day desc, requests desc, lines.key_id, lines.agent_id, lines.status`;
}

function toLine({ ms, times, ...line }: Found): UsageLine {
  const counts = new Map(Object.entries(times ?? {}).map(([bucket, count]) => [Number(bucket), count]));
  const quantile = (share: number): number | null => rounded(quantileOf(counts, share));
  return {
    ...line,
    ms_mean: rounded(ms / line.requests) ?? 0,
    ms_p50: quantile(0.5),
    ms_p95: quantile(0.95),
    ms_p99: quantile(0.99),
  };
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms * 100) / 100);
