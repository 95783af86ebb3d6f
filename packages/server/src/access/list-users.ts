import type { UserRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { LIST_LIMIT, listPage } from "./list-page.ts";
import { toUserSummary, type UserSummary } from "./user-summary.ts";

export type ListedUser = UserSummary & { readonly account_name: string };
export type UserPage = { readonly users: readonly ListedUser[]; readonly has_more: boolean };

/** Users by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listUsers(desk: Desk, account?: string, after = ""): Promise<UserPage> {
  const owner = account === undefined ? undefined : (await findAccount(desk, account)).id;
  let query = desk.db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .selectAll("users")
    .select("accounts.name as account_name")
    .where("users.id", ">", after)
    .orderBy("users.id")
    .limit(LIST_LIMIT);
  if (owner !== undefined) query = query.where("users.account_id", "=", owner);
  const { rows, has_more } = listPage(await query.execute());
  return { users: rows.map(toListed), has_more };
}

function toListed({ account_name, ...row }: UserRow & { readonly account_name: string }): ListedUser {
  return { ...toUserSummary(row), account_name };
}
