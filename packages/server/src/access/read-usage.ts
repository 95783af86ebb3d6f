import type { AdminContext } from "./change.ts";
import { gatherUsage, type UsageGroup } from "./gather-usage.ts";
import { readUsageInput, type UsageInput } from "./usage-input.ts";
import { addUsage, type UsageSums } from "./count-usage.ts";
import { quantileOf } from "./latency-buckets.ts";

/** One line per day, newest first, and one total; null if there are none. */
export type UsageDays = { readonly days: readonly UsageLine[]; readonly total: UsageLine | null };

const NO_NAMES = new Map<string, string>();

/** Usage of an account's keys and users by day and in total, ignoring `by`. Throws AccessError as readUsage. */
export async function readUsageDays(
  admin: Pick<AdminContext, "db" | "clock">,
  accountId: string,
  requested: UsageInput,
): Promise<UsageDays> {
  const wanted = readUsageInput({ ...requested, by: "day" }, admin.clock());
  const groups = await gatherUsage(admin, { ...wanted, accountId }, Number.POSITIVE_INFINITY);
  const days = groups.sort((a, b) => ((a.day ?? "") < (b.day ?? "") ? 1 : -1));
  return {
    days: days.map((group) => toUsageLine(group, NO_NAMES)),
    total: days.length === 0 ? null : toUsageLine(addUp(days), NO_NAMES),
  };
}

function addUp(groups: readonly UsageGroup[]): UsageGroup {
  const sums: UsageSums = { requests: 0, rows: 0, bytes: 0, ms: 0, times: new Map() };
  for (const group of groups) addUsage(sums, group);
  return { day: null, key_id: null, agent_id: null, status: null, ...sums };
}

/** A group of requests as displayed. */
export type UsageLine = Omit<UsageGroup, "ms" | "times"> & {
  /** The key's name, or the user of the explorer. */
  readonly key_name: string | null;
  /** Total time in the service. Quantiles are within 5 % (access/latency-buckets.ts); null if none were recorded. */
  readonly ms_mean: number;
  readonly ms_p50: number | null;
  readonly ms_p95: number | null;
  readonly ms_p99: number | null;
};

function toUsageLine(group: UsageGroup, nameOf: ReadonlyMap<string, string>): UsageLine {
  const { day, key_id, agent_id, status, requests, rows, bytes, ms, times } = group;
  const quantile = (share: number): number | null => {
    const reported = quantileOf(times, share);
    return reported === null ? null : rounded(reported);
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

export type UsageReport = {
  readonly from: string;
  readonly to: string;
  /** Newest day first, then by most requests. */
  readonly lines: readonly UsageLine[];
  /** True if there are more than `atMost` lines; the last ones are omitted. */
  readonly has_more: boolean;
};

/**
 * Usage of an account's keys, and of its users in the explorer: at most `atMost` lines. Throws AccessError: invalid
 * input, days that run backwards or are more than 400, more lines than can be summed.
 */
export async function readUsage(
  admin: Pick<AdminContext, "db" | "clock">,
  accountId: string,
  requested: UsageInput,
  atMost: number,
): Promise<UsageReport> {
  const wanted = readUsageInput(requested, admin.clock());
  const { from, to } = wanted;
  const groups = (await gatherUsage(admin, { ...wanted, accountId }, atMost)).sort(byDayAndRequests);
  const names = wanted.by.includes("key") ? await namesOf(admin, accountId) : new Map<string, string>();
  const lines = groups.slice(0, atMost).map((group) => toUsageLine(group, names));
  return { from, to, lines, has_more: groups.length > atMost };
}

function byDayAndRequests(a: UsageGroup, b: UsageGroup): number {
  const [day, other] = [a.day ?? "", b.day ?? ""];
  if (day !== other) return day < other ? 1 : -1;
  if (a.requests !== b.requests) return b.requests - a.requests;
  const [key, otherKey] = [a.key_id ?? "", b.key_id ?? ""];
  if (key !== otherKey) return key < otherKey ? -1 : 1;
  return (a.agent_id ?? 0) - (b.agent_id ?? 0) || (a.status ?? 0) - (b.status ?? 0);
}

/** Label for deleted keys (drop-ended-keys). */
const FORMER = "Former keys";

async function namesOf(admin: Pick<AdminContext, "db">, accountId: string): Promise<ReadonlyMap<string, string>> {
  const { db } = admin;
  const keys = await db.selectFrom("api_keys").select(["id", "name"]).where("account_id", "=", accountId).execute();
  const users = await db.selectFrom("users").select(["id", "name"]).where("account_id", "=", accountId).execute();
  return new Map([
    [accountId, FORMER],
    ...keys.map(({ id, name }): [string, string] => [id, name]),
    ...users.map(({ id, name }): [string, string] => [id, `Explorer (${name})`]),
  ]);
}
