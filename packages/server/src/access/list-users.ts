import type { UserRow } from "../records/schema.ts";
import type { Desk } from "./desk.ts";
import { findAccount } from "./find-account.ts";
import { toUserSummary, type UserSummary } from "./user-summary.ts";

const MAX = 1000;

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
    .limit(MAX + 1);
  if (owner !== undefined) query = query.where("users.account_id", "=", owner);
  const rows = await query.execute();
  return { users: rows.slice(0, MAX).map(toListed), has_more: rows.length > MAX };
}

function toListed({ account_name, ...row }: UserRow & { readonly account_name: string }): ListedUser {
  return { ...toUserSummary(row), account_name };
}
