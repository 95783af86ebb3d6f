import { sql } from "kysely";
import type { AccountRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";
import { LIST_LIMIT, listPage } from "./list-page.ts";

/** `keys` counts those that are neither revoked nor expired. */
export type ListedAccount = AccountRow & { readonly users: number; readonly keys: number };
export type AccountPage = { readonly accounts: readonly ListedAccount[]; readonly has_more: boolean };

/** Accounts by age, oldest first, 1,000 at most; `after` is the id of the last one already seen. */
export async function listAccounts(desk: Desk, after = ""): Promise<AccountPage> {
  const now = new Date(desk.clock());
  const read = await desk.db
    .selectFrom("accounts")
    .selectAll("accounts")
    .select([
      sql<number>`(select count(*) from users where users.account_id = accounts.id)`.as("users"),
      sql<number>`(select count(*) from api_keys where api_keys.account_id = accounts.id
        and revoked_at is null and (expires_at is null or expires_at > ${now}))`.as("keys"),
    ])
    .where("id", ">", after)
    .orderBy("id")
    .limit(LIST_LIMIT)
    .execute();
  const { rows, has_more } = listPage(read);
  return { accounts: rows, has_more };
}
