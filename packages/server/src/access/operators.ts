import { AccessError } from "./access-error.ts";
import type { Desk } from "./change.ts";

/**
 * Locks all operators until the transaction ends. They change each other one after another, so that of two who remove
 * each other's rights at the same moment one remains.
 */
export async function holdOperators({ db }: Desk): Promise<void> {
  await db.selectFrom("users").select("id").where("role", "=", "operator").orderBy("id").forNoKeyUpdate().execute();
}

/**
 * Throws forbidden if the signed-in user is no operator (any more); the command line may change everything. The caller
 * has locked the operators.
 */
export async function requireOperator({ db, userId }: Desk, message: string): Promise<void> {
  if (userId === undefined) return;
  const operator = await db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select("users.id")
    .where("users.id", "=", userId)
    .where("users.role", "=", "operator")
    .where("users.disabled_at", "is", null)
    .where("accounts.disabled_at", "is", null)
    .executeTakeFirst();
  if (operator === undefined) throw new AccessError("forbidden", message);
}
