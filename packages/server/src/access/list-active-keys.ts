import type { Desk } from "./desk.ts";

/** The ids of an account's keys that are neither revoked nor expired, oldest first; `requireRoom` bounds how many. */
export async function listActiveKeys(desk: Desk, accountId: string): Promise<readonly string[]> {
  const rows = await desk.db
    .selectFrom("api_keys")
    .select("id")
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((by) => by.or([by("expires_at", "is", null), by("expires_at", ">", new Date(desk.clock()))]))
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}
