import { AccessError } from "./access-error.ts";
import type { Desk } from "./change.ts";

/** The most keys, and the most users, of an account: an operator's has so many, and no plan gives more. */
export const MOST_OF_ACCOUNT = 1000;

/** How many there are, of how many there may be. */
type Room = { readonly used: number; readonly most: number };

/** Keys that work and users who are not disabled, beside what the account may have. */
export async function readRoom(desk: Desk, accountId: string): Promise<{ readonly keys: Room; readonly users: Room }> {
  const [{ keys, users }, ofKeys, ofUsers] = await Promise.all([
    boundsOf(desk, accountId),
    countKeys(desk, accountId),
    countUsers(desk, accountId),
  ]);
  return { keys: { used: ofKeys.active, most: keys }, users: { used: ofUsers.active, most: users } };
}

/** Until the transaction ends nobody else makes a key or user of the account: several at once would all find the last place. */
export async function holdAccount({ db }: Desk, accountId: string): Promise<void> {
  await db.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
}

/** Throws conflict where the account has as many keys that work as its plan gives. The caller holds the account. */
export async function requireRoomForKey(desk: Desk, accountId: string): Promise<void> {
  const { plan, keys: most } = await boundsOf(desk, accountId);
  const { active } = await countKeys(desk, accountId);
  if (active < most) return;
  throw full(plan, most, "keys", `${active} that are neither revoked nor expired; revoke one first`);
}

/**
 * Throws conflict where the account has twice as many keys that work as its plan gives, or as it had before its plan
 * gave fewer: of those that were replaced there are never more than of the others. The caller holds the account.
 */
export async function requireRoomToRotate(desk: Desk, accountId: string): Promise<void> {
  const { plan, keys: most } = await boundsOf(desk, accountId);
  const { active, lasting } = await countKeys(desk, accountId);
  if (active < 2 * Math.max(most, lasting)) return;
  throw full(plan, most, "keys", `${active} with those that were replaced and still work; revoke some of these first`);
}

/** Throws conflict where the account has as many users who are not disabled as its plan gives. */
export async function requireRoomForUser(desk: Desk, accountId: string): Promise<void> {
  const { plan, users: most } = await boundsOf(desk, accountId);
  const { all, active } = await countUsers(desk, accountId);
  if (active >= most) throw full(plan, most, "users", `${active} who are not disabled; disable one first`);
  if (all >= MOST_OF_ACCOUNT) {
    throw new AccessError("conflict", `the account has ${all} users, disabled ones too; enable one of these instead`);
  }
}

const full = (plan: string, most: number, what: string, has: string): AccessError =>
  new AccessError(
    "conflict",
    `the plan ${plan} gives an account ${most} ${what}, and this one has ${has}, or ask the operator for more`,
  );

type Bounds = { readonly plan: string; readonly keys: number; readonly users: number };

/** The plan's; the account of an operator is not held by what its plan gives customers. */
async function boundsOf({ db }: Desk, accountId: string): Promise<Bounds> {
  const { plan, keys, users, operator } = await db
    .selectFrom("accounts as account")
    .innerJoin("plans as plan", "plan.name", "account.plan")
    .select(["plan.name as plan", "plan.keys", "plan.users"])
    .select(({ selectFrom }) =>
      selectFrom("users as user")
        .select("user.id")
        .whereRef("user.account_id", "=", "account.id")
        .where("user.role", "=", "operator")
        .where("user.disabled_at", "is", null)
        .limit(1)
        .as("operator"),
    )
    .where("account.id", "=", accountId)
    .executeTakeFirstOrThrow();
  return operator === null ? { plan, keys, users } : { plan, keys: MOST_OF_ACCOUNT, users: MOST_OF_ACCOUNT };
}

/** Keys that are neither revoked nor expired, and how many of these have no successor. */
async function countKeys({ db, clock }: Desk, accountId: string): Promise<{ active: number; lasting: number }> {
  return await db
    .selectFrom("api_keys")
    .select(({ fn }) => [
      fn.countAll<number>().as("active"),
      fn.countAll<number>().filterWhere("replaced_by", "is", null).as("lasting"),
    ])
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((by) => by.or([by("expires_at", "is", null), by("expires_at", ">", new Date(clock()))]))
    .executeTakeFirstOrThrow();
}

/** Users, and how many of these are not disabled. */
async function countUsers({ db }: Desk, accountId: string): Promise<{ all: number; active: number }> {
  return await db
    .selectFrom("users")
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("disabled_at", "is", null).as("active"),
    ])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
}
