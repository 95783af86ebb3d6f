import { AccessError } from "./access-error.ts";
import type { AdminContext } from "./change.ts";

/** The most keys, and the most users, of an account: an operator's account has this limit, and no plan exceeds it. */
export const MAX_OF_ACCOUNT = 1000;

/** The number in use, and the limit. */
type Quota = { readonly used: number; readonly most: number };

/** Valid keys and enabled users, with the account's limits. */
export async function readQuotas(
  admin: AdminContext,
  accountId: string,
): Promise<{ readonly keys: Quota; readonly users: Quota }> {
  const [{ keys, users }, ofKeys, ofUsers] = await Promise.all([
    boundsOf(admin, accountId),
    countKeys(admin, accountId),
    countUsers(admin, accountId),
  ]);
  return { keys: { used: ofKeys.active, most: keys }, users: { used: ofUsers.active, most: users } };
}

/** Locks the account until the transaction ends: concurrent creations must not all take the last place. */
export async function holdAccount({ db }: AdminContext, accountId: string): Promise<void> {
  await db.selectFrom("accounts").select("id").where("id", "=", accountId).forNoKeyUpdate().execute();
}

/** Throws conflict if the account has as many valid keys as its plan allows. The caller has locked the account. */
export async function requireQuotaForKey(admin: AdminContext, accountId: string): Promise<void> {
  const { plan, keys: most } = await boundsOf(admin, accountId);
  const { active } = await countKeys(admin, accountId);
  if (active < most) return;
  throw full(plan, most, "keys", `${active} that are neither revoked nor expired; revoke one first`);
}

/**
 * Throws conflict if the account has twice as many valid keys as its plan allows, or as it had before its plan was
 * reduced: replaced keys never outnumber the others. The caller has locked the account.
 */
export async function requireRoomToRotate(admin: AdminContext, accountId: string): Promise<void> {
  const { plan, keys: most } = await boundsOf(admin, accountId);
  const { active, lasting } = await countKeys(admin, accountId);
  if (active < 2 * Math.max(most, lasting)) return;
  throw full(plan, most, "keys", `${active} including replaced ones that still work; revoke some of those first`);
}

/** Throws conflict if the account has as many enabled users as its plan allows. */
export async function requireQuotaForUser(admin: AdminContext, accountId: string): Promise<void> {
  const { plan, users: most } = await boundsOf(admin, accountId);
  const { all, active } = await countUsers(admin, accountId);
  if (active >= most) throw full(plan, most, "users", `${active} who are not disabled; disable one first`);
  if (all >= MAX_OF_ACCOUNT) {
    throw new AccessError(
      "conflict",
      `the account has ${all} users, including disabled ones; enable one of these instead`,
    );
  }
}

const full = (plan: string, most: number, what: string, has: string): AccessError =>
  new AccessError(
    "conflict",
    `the plan ${plan} gives an account ${most} ${what}, and this one has ${has}, or ask the operator for more`,
  );

type Bounds = { readonly plan: string; readonly keys: number; readonly users: number };

/** The plan's limits; an operator's account is not bound by its plan. */
async function boundsOf({ db }: AdminContext, accountId: string): Promise<Bounds> {
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
  return operator === null ? { plan, keys, users } : { plan, keys: MAX_OF_ACCOUNT, users: MAX_OF_ACCOUNT };
}

/** Keys that are neither revoked nor expired, and how many of these have no successor. */
async function countKeys({ db, clock }: AdminContext, accountId: string): Promise<{ active: number; lasting: number }> {
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
async function countUsers({ db }: AdminContext, accountId: string): Promise<{ all: number; active: number }> {
  return await db
    .selectFrom("users")
    .select(({ fn }) => [
      fn.countAll<number>().as("all"),
      fn.countAll<number>().filterWhere("disabled_at", "is", null).as("active"),
    ])
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
}
