import { sql } from "kysely";
import type { AdminContext } from "./change.ts";

const DAY_MS = 86_400_000;
const DAYS = 30;

/** Usage of one account over 30 UTC days, today included. */
export type AccountUsage = {
  readonly account_id: string;
  readonly name: string;
  readonly plan: string;
  readonly requests_today: number;
  readonly requests_30d: number;
  /** Answered with 429. */
  readonly refused_30d: number;
  /** Answered with 500 or above. */
  readonly failed_30d: number;
  readonly rows_30d: number;
  readonly bytes_30d: number;
};

/** Usage of all accounts together on a UTC day. */
export type ServiceDay = {
  readonly day: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
};

export type AccountsUsage = { readonly accounts: readonly AccountUsage[]; readonly days: readonly ServiceDay[] };

/** The `atMost` accounts with the most requests in the last 30 days, and the service's days, newest first. */
export async function readAccountsUsage(
  admin: Pick<AdminContext, "db" | "clock">,
  atMost: number,
): Promise<AccountsUsage> {
  const [today, first] = [dayOf(admin.clock()), dayOf(admin.clock() - (DAYS - 1) * DAY_MS)];
  const inTime = sql`usage.day between cast(${first} as date) and cast(${today} as date)`;
  const accounts = await sql<AccountUsage>`
    with owned as (
      select id, account_id from api_keys union all select id, account_id from users
      union all select id, id from accounts
    ), asked as (
      select owned.account_id,
        cast(coalesce(sum(requests) filter (where usage.day = cast(${today} as date)), 0) as bigint) as requests_today,
        cast(sum(requests) as bigint) as requests_30d,
        cast(coalesce(sum(requests) filter (where status = 429), 0) as bigint) as refused_30d,
        cast(coalesce(sum(requests) filter (where status >= 500), 0) as bigint) as failed_30d,
        cast(sum(rows) as bigint) as rows_30d, cast(sum(bytes) as bigint) as bytes_30d
      from usage join owned on owned.id = usage.key_id
      where ${inTime} group by owned.account_id
    )
    select asked.account_id, accounts.name, accounts.plan, requests_today, requests_30d, refused_30d, failed_30d,
      rows_30d, bytes_30d
    from asked join accounts on accounts.id = asked.account_id
    order by requests_30d desc, asked.account_id limit ${atMost}`.execute(admin.db);
  const days = await sql<ServiceDay>`
    select cast(usage.day as text) as day, cast(sum(requests) as bigint) as requests,
      cast(coalesce(sum(requests) filter (where status = 429), 0) as bigint) as refused,
      cast(coalesce(sum(requests) filter (where status >= 500), 0) as bigint) as failed
    from usage where ${inTime} group by usage.day order by usage.day desc`.execute(admin.db);
  return { accounts: accounts.rows, days: days.rows };
}

const dayOf = (timestamp: number): string => new Date(timestamp).toISOString().slice(0, 10);
