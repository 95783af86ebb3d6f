import { sql } from "kysely";
import { ulid } from "ulid";
import { z } from "zod";
import type { AccountRow } from "../records/schema.ts";
import { AccessError, emailInput, readInput } from "./access-error.ts";
import { audit, change, writeRow, type AdminContext } from "./change.ts";
import { findAccount, findPlan } from "./find.ts";
import { listPage } from "./list-audit.ts";
import { holdOperators, requireRole } from "./operators.ts";
import { requireNotOwn, newPassword, passwordInput, type Hash } from "./passwords.ts";
import { holdAccount } from "./quotas.ts";
import { insertUser, requireFree, type CreatedUser } from "./users.ts";

/** `keys` counts those that are neither revoked nor expired. */
export type ListedAccount = AccountRow & { readonly users: number; readonly keys: number };
export type AccountPage = { readonly accounts: readonly ListedAccount[]; readonly has_more: boolean };

/** Accounts by age, oldest first, 1,000 at most; `after` is the id of the last one already seen. */
export async function listAccounts(admin: AdminContext, after = ""): Promise<AccountPage> {
  const now = new Date(admin.clock());
  const query = admin.db
    .selectFrom("accounts")
    .selectAll("accounts")
    .select([
      sql<number>`(select count(*) from users where users.account_id = accounts.id)`.as("users"),
      sql<number>`(select count(*) from api_keys where api_keys.account_id = accounts.id
        and revoked_at is null and (expires_at is null or expires_at > ${now}))`.as("keys"),
    ])
    .where("id", ">", after)
    .orderBy("id");
  const { rows, has_more } = await listPage(query);
  return { accounts: rows, has_more };
}

const input = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** The address of the account and of its owner, who signs in with it. */
  email: emailInput,
  plan: z.string().default("free"),
  /** Role of the account's first user. */
  role: z.enum(["owner", "operator"]).default("owner"),
  /** The owner's own password; if absent, a first one is generated that must be changed. */
  password: passwordInput.optional(),
});

export type CreatedAccount = CreatedUser & { readonly account: AccountRow };

/**
 * Creates an account and the user who owns it. Throws AccessError: invalid input, not_found plan, conflict if the
 * address is taken.
 */
export async function createAccount(
  admin: AdminContext,
  requested: z.input<typeof input>,
  hash?: Hash,
): Promise<CreatedAccount> {
  const { role, password: own, ...wanted } = readInput(input, requested);
  if (own !== undefined) requireNotOwn(own, wanted, "password");
  await requireFree(admin, wanted.email);
  const { columns, reported } = await newPassword(own, hash);
  return await change(admin, async (inside) => {
    const account = await insertAccount(inside, wanted);
    const { name, email } = wanted;
    const user = await insertUser(inside, { account_id: account.id, email, name, role, ...columns });
    return { account, user, password: reported };
  });
}

type NewAccount = { readonly name: string; readonly email: string; readonly plan: string };

async function insertAccount(admin: AdminContext, wanted: NewAccount): Promise<AccountRow> {
  await findPlan(admin, wanted.plan);
  const created = await admin.db
    .insertInto("accounts")
    .values({ id: `acc_${ulid(admin.clock())}`, ...wanted, created_at: new Date(admin.clock()) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!created) throw new AccessError("conflict", `an account with the address ${wanted.email} exists already`);
  await audit(admin, { action: "account.create", subject: created.id, account: created.id, detail: wanted });
  return created;
}

/** Puts an account (id or address) on a plan; takes effect within one second on every node. */
export async function setPlan(admin: AdminContext, account: string, plan: string): Promise<AccountRow> {
  return await change(admin, async (inside) => {
    const { id } = await findAccount(inside, account);
    await holdAccount(inside, id);
    const { plan: before } = await findAccount(inside, id);
    await findPlan(inside, plan);
    const done = { action: "account.set_plan", subject: id, account: id, detail: { before, plan } };
    return await writeRow(inside, "accounts", { plan }, done);
  });
}

/** Disables an account (its sessions end, its keys are refused within one second on every node) or enables it again. */
export async function disableAccount(admin: AdminContext, account: string, isDisabled: boolean): Promise<AccountRow> {
  return await change(admin, async (inside) => {
    await holdOperators(inside);
    await requireRole(inside, ["operator"], "only an operator may disable or enable an account");
    const { id } = await findAccount(inside, account);
    const done = { action: isDisabled ? "account.disable" : "account.enable", subject: id, account: id };
    const disabled_at = isDisabled ? new Date(admin.clock()) : null;
    const changed = await writeRow(inside, "accounts", { disabled_at }, done);
    if (isDisabled) {
      const users = inside.db.selectFrom("users").select("id").where("account_id", "=", id);
      await inside.db.deleteFrom("sessions").where("user_id", "in", users).execute();
    }
    return changed;
  });
}
