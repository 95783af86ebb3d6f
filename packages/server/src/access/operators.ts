import { AccessError } from "./access-error.ts";
import type { UserRole } from "../records/schema.ts";
import type { AdminContext } from "./change.ts";

/**
 * Locks all operators until the transaction ends. They change each other one after another, so that of two who remove
 * each other's rights at the same moment one remains.
 */
export async function holdOperators({ db }: AdminContext): Promise<void> {
  await db.selectFrom("users").select("id").where("role", "=", "operator").orderBy("id").forNoKeyUpdate().execute();
}

/**
 * Throws forbidden if the signed-in user has none of the roles (any more); the command line may change everything. The
 * caller has locked the operators, or the account whose owners may do this.
 */
export async function requireRole(
  { db, userId }: AdminContext,
  roles: readonly UserRole[],
  message: string,
): Promise<void> {
  if (userId === undefined) return;
  const allowed = await db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select("users.id")
    .where("users.id", "=", userId)
    .where("users.role", "in", roles)
    .where("users.disabled_at", "is", null)
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (allowed === undefined) throw new AccessError("forbidden", message);
}
