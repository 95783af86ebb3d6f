import { sql } from "kysely";
import { audit, type AdminContext } from "./change.ts";
import { ADDED_UP } from "./count-usage.ts";

const DAY_MS = 86_400_000;
/** Usage can be queried for this many days at a time. */
const KEPT_DAYS = 400;
const MAX_ENDED = 1000;
/** The next change drops the next ones. */
const MAX_AT_ONCE = 200;

/**
 * Deletes keys of an account that ended 400 days ago, and the oldest beyond 1,000 ended ones. Their usage is kept under
 * the account's own id; the audit keeps when they were made and revoked. The caller provides the transaction.
 */
export async function dropEndedKeys(admin: AdminContext, accountId: string): Promise<void> {
  const now = admin.clock();
  const { rows } = await sql<{ id: string }>`
    select id from (
      select id, ended_at, row_number() over (order by ended_at desc, id desc) as place from (
        select id, least(revoked_at, expires_at) as ended_at from api_keys where account_id = ${accountId}
      ) as every where ended_at <= ${new Date(now)}
    ) as ended where ended_at < ${new Date(now - KEPT_DAYS * DAY_MS)} or place > ${MAX_ENDED}
    order by place desc limit ${MAX_AT_ONCE}`.execute(admin.db);
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  const used = await admin.db.selectFrom("usage").select("key_id").distinct().where("key_id", "in", ids).execute();
  for (const { key_id } of used) await moveUsage(admin, key_id, accountId);
  await admin.db.updateTable("api_keys").set({ replaced_by: null }).where("replaced_by", "in", ids).execute();
  await admin.db.deleteFrom("api_keys").where("id", "in", ids).execute();
  await audit(admin, { action: "key.drop_ended", subject: accountId, account: accountId, detail: { keys: ids } });
}

async function moveUsage({ db }: AdminContext, from: string, to: string): Promise<void> {
  await sql`
    insert into usage (day, key_id, agent_id, status, requests, rows, bytes, ms, ms_buckets, ms_counts)
    select day, ${to}, agent_id, status, requests, rows, bytes, ms, ms_buckets, ms_counts
    from usage where key_id = ${from} ${ADDED_UP}`.execute(db);
  await db.deleteFrom("usage").where("key_id", "=", from).execute();
}
