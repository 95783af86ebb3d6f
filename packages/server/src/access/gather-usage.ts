import { sql, type RawBuilder } from "kysely";
import { AccessError } from "./access-error.ts";
import type { AdminContext } from "./change.ts";
import type { UsageGrain, UsageWanted } from "./usage-input.ts";
import { addUsage, type UsageSums } from "./count-usage.ts";

/** A group of requests; a field is null if the group is not split by day, key, dataset or status. */
export type UsageGroup = UsageSums & {
  /** YYYY-MM-DD, UTC. */
  readonly day: string | null;
  readonly key_id: string | null;
  /** 0 if no dataset was recognised. */
  readonly agent_id: number | null;
  readonly status: number | null;
};

/** Embedded records block all others while a statement runs, so one reads at most this many lines (about 50 ms). */
const LINES_A_STATEMENT = 5000;
const MAX_LINES = 200_000;

type Wanted = UsageWanted & { readonly accountId: string };
type Span = { readonly from: string; readonly to: string };
type Found = Omit<UsageGroup, "times"> & { readonly buckets: string; readonly counts: string };

/**
 * The usage of an account's keys and users, grouped as wanted, unordered. If grouped by day the newest come first, and
 * it may stop after more than `enough` groups. Throws AccessError for more than 200,000 stored lines.
 */
export async function gatherUsage(
  admin: Pick<AdminContext, "db">,
  wanted: Wanted,
  enough: number,
): Promise<UsageGroup[]> {
  const groups = new Map<string, UsageGroup>();
  for (const span of await spansOf(admin, wanted, enough)) {
    const { rows } = await groupsIn(wanted, span).execute(admin.db);
    for (const row of rows) addGroup(groups, row);
    if (wanted.by.includes("day") && groups.size > enough) break;
  }
  return [...groups.values()];
}

/** Spans of days, newest first, each with at most as many stored lines as one statement reads; a day is not split. */
async function spansOf(admin: Pick<AdminContext, "db">, wanted: Wanted, enough: number): Promise<Span[]> {
  const { rows: days } = await sql<{ day: string; lines: number }>`
    select cast(day as text) as day, count(*) as lines from usage where ${isWanted(wanted, wanted)}
    group by usage.day order by usage.day desc`.execute(admin.db);
  const stopsEarly = wanted.by.length === 4 && enough < MAX_LINES;
  const total = days.reduce((sum, { lines }) => sum + lines, 0);
  if (total > MAX_LINES && !stopsEarly) {
    const problem = `${total} lines are stored for these days; request fewer days, or one key`;
    throw new AccessError("invalid", problem, [{ path: "from", problem }]);
  }
  const spans: Span[] = [];
  let held = Number.POSITIVE_INFINITY;
  for (const { day, lines } of days) {
    held += lines;
    const last = spans.at(-1);
    if (last && held <= LINES_A_STATEMENT) spans[spans.length - 1] = { ...last, from: day };
    else {
      spans.push({ from: day, to: day });
      held = lines;
    }
  }
  return spans;
}

function groupsIn(wanted: Wanted, span: Span): RawBuilder<Found> {
  const is = (grain: UsageGrain): boolean => wanted.by.includes(grain);
  return sql<Found>`
    select ${is("day") ? sql`cast(usage.day as text)` : sql`cast(null as text)`} as day,
      ${is("key") ? sql`usage.key_id` : sql`cast(null as text)`} as key_id,
      ${is("dataset") ? sql`usage.agent_id` : sql`cast(null as integer)`} as agent_id,
      ${is("status") ? sql`usage.status` : sql`cast(null as integer)`} as status,
      cast(sum(requests) as bigint) as requests, cast(sum(rows) as bigint) as rows,
      cast(sum(bytes) as bigint) as bytes, cast(sum(ms) as bigint) as ms,
      string_agg(cast(ms_buckets as text), '') as buckets, string_agg(cast(ms_counts as text), '') as counts
    from usage where ${isWanted(wanted, span)} group by 1, 2, 3, 4`;
}

function isWanted({ accountId, key, agent_id, status }: Wanted, { from, to }: Span): RawBuilder<unknown> {
  return sql`usage.key_id in (
      select id from api_keys where account_id = ${accountId} union all
      select id from users where account_id = ${accountId} union all
      select cast(${accountId} as text)
    ) and usage.day between cast(${from} as date) and cast(${to} as date)
    ${key === undefined ? sql`` : sql`and usage.key_id = ${key}`}
    ${agent_id === undefined ? sql`` : sql`and usage.agent_id = ${agent_id}`}
    ${status === undefined ? sql`` : sql`and usage.status between ${status[0]} and ${status[1]}`}`;
}

function addGroup(groups: Map<string, UsageGroup>, { buckets, counts, ...sums }: Found): void {
  const id = JSON.stringify([sums.day, sums.key_id, sums.agent_id, sums.status]);
  const more: UsageGroup = { ...sums, times: timesOf(buckets, counts) };
  const known = groups.get(id);
  if (known) addUsage(known, more);
  else groups.set(id, more);
}

/** Parses the concatenated buckets of several lines: a bucket may occur more than once. */
function timesOf(buckets: string, counts: string): Map<number, number> {
  const times = new Map<number, number>();
  const counted = counts.match(/\d+/g) ?? [];
  for (const [place, text] of (buckets.match(/\d+/g) ?? []).entries()) {
    const bucket = Number(text);
    times.set(bucket, (times.get(bucket) ?? 0) + Number(counted[place]));
  }
  return times;
}
