import type { AccountRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { Desk } from "./desk.ts";

/** The account with this id or e-mail address. */
export async function findAccount(desk: Desk, idOrEmail: string): Promise<AccountRow> {
  const account = await desk.db
    .selectFrom("accounts")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", idOrEmail.trim().toLowerCase())]))
    .executeTakeFirst();
  if (!account) throw new AccessError("not_found", `no account has the id or address ${idOrEmail}`);
  return account;
}
