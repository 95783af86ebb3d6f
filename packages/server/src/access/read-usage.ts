import type { Desk } from "./desk.ts";
import { gatherUsage, type UsageGroup } from "./gather-usage.ts";
import { readUsageInput, type UsageInput } from "./usage-input.ts";
import { toUsageLine, type UsageLine } from "./usage-line.ts";

export type UsageReport = {
  readonly from: string;
  readonly to: string;
  /** Newest day first, then the most asked. */
  readonly lines: readonly UsageLine[];
  /** There are more lines than asked for at most; those at the end are left out. */
  readonly has_more: boolean;
};

/**
 * What an account's keys, and its users in the explorer, were used for: `atMost` lines.
 * Throws AccessError: invalid input, days that run backwards or are more than 400, more lines than can be added up.
 */
export async function readUsage(
  desk: Pick<Desk, "db" | "clock">,
  accountId: string,
  asked: UsageInput,
  atMost: number,
): Promise<UsageReport> {
  const wanted = readUsageInput(asked, desk.clock());
  const { from, to } = wanted;
  const groups = (await gatherUsage(desk, { ...wanted, accountId }, atMost)).sort(byDayAndRequests);
  const names = wanted.by.includes("key") ? await namesOf(desk, accountId) : new Map<string, string>();
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

async function namesOf(desk: Pick<Desk, "db">, accountId: string): Promise<ReadonlyMap<string, string>> {
  const { db } = desk;
  const keys = await db.selectFrom("api_keys").select(["id", "name"]).where("account_id", "=", accountId).execute();
  const users = await db.selectFrom("users").select(["id", "name"]).where("account_id", "=", accountId).execute();
  return new Map([
    ...keys.map(({ id, name }): [string, string] => [id, name]),
    ...users.map(({ id, name }): [string, string] => [id, `Explorer (${name})`]),
  ]);
}
