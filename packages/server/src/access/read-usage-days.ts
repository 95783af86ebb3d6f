import type { Desk } from "./desk.ts";
import { gatherUsage, type UsageGroup } from "./gather-usage.ts";
import { readUsageInput, type UsageInput } from "./usage-input.ts";
import { toUsageLine, type UsageLine } from "./usage-line.ts";
import { addUsage, type UsageSums } from "./usage-sums.ts";

/** A line a day, newest first, and one of all days; null of none. */
export type UsageDays = { readonly days: readonly UsageLine[]; readonly total: UsageLine | null };

const NO_NAMES = new Map<string, string>();

/** What an account's keys and users asked by day and in all, whatever `by` says. Throws AccessError as readUsage. */
export async function readUsageDays(
  desk: Pick<Desk, "db" | "clock">,
  accountId: string,
  asked: UsageInput,
): Promise<UsageDays> {
  const wanted = readUsageInput({ ...asked, by: "day" }, desk.clock());
  const groups = await gatherUsage(desk, { ...wanted, accountId }, Number.POSITIVE_INFINITY);
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
