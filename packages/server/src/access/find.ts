import type { AccountRow, KeyRow, PlanRow, UserRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import type { Desk } from "./desk.ts";
import { digestOf, isKey } from "./key-format.ts";

const asAddress = (text: string): string => text.trim().toLowerCase();

/** The account with this id or e-mail address. */
export async function findAccount(desk: Desk, idOrEmail: string): Promise<AccountRow> {
  const account = await desk.db
    .selectFrom("accounts")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", asAddress(idOrEmail))]))
    .executeTakeFirst();
  if (!account) throw new AccessError("not_found", `no account has the id or address ${idOrEmail}`);
  return account;
}

/** The user with this id or e-mail address. */
export async function findUser(desk: Desk, idOrEmail: string): Promise<UserRow> {
  const user = await desk.db
    .selectFrom("users")
    .selectAll()
    .where((by) => by.or([by("id", "=", idOrEmail), by("email", "=", asAddress(idOrEmail))]))
    .executeTakeFirst();
  if (!user) throw new AccessError("not_found", `no user has the id or address ${idOrEmail}`);
  return user;
}

/** The key with this id, this public prefix (where only one has it) or this secret. */
export async function findKey(desk: Desk, named: string): Promise<KeyRow> {
  const query = desk.db.selectFrom("api_keys").selectAll().limit(2);
  const rows = await (
    isKey(named)
      ? query.where("digest", "=", digestOf(named))
      : query.where((by) => by.or([by("id", "=", named), by("prefix", "=", named)]))
  ).execute();
  const [row, another] = rows;
  // A mistyped secret must not come back in a message or a log.
  if (!row) throw new AccessError("not_found", "no key has this id or prefix");
  if (another) throw new AccessError("conflict", `several keys have the prefix ${row.prefix}; name one by its id`);
  return row;
}

export async function findPlan(desk: Desk, name: string): Promise<PlanRow> {
  const plans = await desk.db.selectFrom("plans").selectAll().orderBy("rank").execute();
  const plan = plans.find((known) => known.name === name);
  if (plan) return plan;
  throw new AccessError(
    "not_found",
    `no plan is named ${name}; there are ${plans.map((known) => known.name).join(", ")}`,
  );
}
