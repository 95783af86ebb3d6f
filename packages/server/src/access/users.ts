import { ulid } from "ulid";
import { z } from "zod";
import type { UserRole, UserRow } from "../records/schema.ts";
import { AccessError, emailInput, readInput } from "./access-error.ts";
import { audit, change, writeRow, type AdminContext } from "./change.ts";
import { findAccount, findUser } from "./find.ts";
import { listPage } from "./list-audit.ts";
import { holdOperators, requireRole } from "./operators.ts";
import { requireNotOwn, newPassword, passwordInput, type Hash } from "./passwords.ts";
import { holdAccount, requireQuotaForUser } from "./quotas.ts";
import { sessionDigest } from "./sessions.ts";

/** The public part of a user: everything but the password hash. */
export type UserSummary = Omit<UserRow, "password_hash">;

function toSummary<Row extends UserRow>({ password_hash: _hash, ...user }: Row): Omit<Row, "password_hash"> {
  return user;
}

export type ListedUser = UserSummary & { readonly account_name: string };
export type UserPage = { readonly users: readonly ListedUser[]; readonly has_more: boolean };

/** Users by age, oldest first, 1,000 at most, of one account (id or address) or of all; `after` is the last id seen. */
export async function listUsers(admin: AdminContext, account?: string, after = ""): Promise<UserPage> {
  let query = admin.db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .selectAll("users")
    .select("accounts.name as account_name")
    .where("users.id", ">", after)
    .orderBy("users.id");
  if (account !== undefined) query = query.where("users.account_id", "=", (await findAccount(admin, account)).id);
  const { rows, has_more } = await listPage(query);
  return { users: rows.map(toSummary), has_more };
}

const input = z.strictObject({
  /** An account's id or e-mail address. */
  account: z.string().min(1),
  email: emailInput,
  name: z.string().trim().min(1).max(200),
  role: z.enum(["member", "owner", "operator"]).default("member"),
  /** The user's own password; if absent, a first one is generated that must be changed. */
  password: passwordInput.optional(),
});

/** `password` is the generated one: returned here once, and stored nowhere. Absent if the user's own was given. */
export type CreatedUser = { readonly user: UserSummary; readonly password: string | undefined };

/** Creates a user. Throws AccessError: invalid input, not_found account, conflict if address taken or account full. */
export async function createUser(
  admin: AdminContext,
  requested: z.input<typeof input>,
  hash?: Hash,
): Promise<CreatedUser> {
  const { account: named, password: own, ...wanted } = readInput(input, requested);
  if (own !== undefined) requireNotOwn(own, wanted, "password");
  const account = await findAccount(admin, named);
  await requireQuotaForUser(admin, account.id);
  await requireFree(admin, wanted.email, account.id);
  // The checks come first, because hashing is expensive.
  const { columns, reported } = await newPassword(own, hash, await findHashLike(admin, wanted.email));
  return await change(admin, async (inside) => {
    await holdAccount(inside, account.id);
    await requireQuotaForUser(inside, account.id);
    const user = await insertUser(inside, { ...wanted, account_id: account.id, ...columns });
    return { user, password: reported };
  });
}

type NewUser = Pick<UserRow, "account_id" | "email" | "name" | "role" | "password_hash" | "must_change_password">;

/** The new user's row and its audit entry; the caller provides the transaction. */
export async function insertUser(admin: AdminContext, wanted: NewUser): Promise<UserSummary> {
  const created = await admin.db
    .insertInto("users")
    .values({ id: `usr_${ulid(admin.clock())}`, ...wanted, created_at: new Date(admin.clock()) })
    .onConflict((conflict) => conflict.columns(["email", "account_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!created) throw taken(wanted.email);
  const { id, account_id, email, name, role } = created;
  await audit(admin, { action: "user.create", subject: id, account: account_id, detail: { email, name, role } });
  return toSummary(created);
}

const taken = (email: string): AccessError =>
  new AccessError("conflict", `a user with the address ${email} exists already`);

/** Throws conflict if a user of the account, or of any account if none is given, has the address. */
export async function requireFree({ db }: AdminContext, email: string, accountId?: string): Promise<void> {
  let query = db.selectFrom("users").select("id").where("email", "=", email);
  if (accountId !== undefined) query = query.where("account_id", "=", accountId);
  if ((await query.executeTakeFirst()) !== undefined) throw taken(email);
}

/** The hash of another user with the address: sharing its salt, sign-in finds the right user by one computation. */
export async function findHashLike({ db }: AdminContext, email: string, except = ""): Promise<string | undefined> {
  const user = await db
    .selectFrom("users")
    .select("password_hash")
    .where("email", "=", email)
    .where("id", "!=", except)
    .orderBy("id")
    .executeTakeFirst();
  return user?.password_hash;
}

type UserChange = {
  readonly to: Partial<Pick<UserRow, "role" | "password_hash" | "must_change_password" | "disabled_at">>;
  readonly action: string;
  readonly detail?: (before: UserRow) => object;
  /** Throws if the change is not allowed. */
  readonly check?: (inside: AdminContext, before: UserRow) => Promise<void>;
  /** The secret of the session to keep; all others end. */
  readonly keepSession?: string;
};

/**
 * Changes a user (id or address), ends the user's sessions, and audits it: all or nothing. Throws forbidden if the
 * signed-in user may not (any more): an operator may change everyone, an owner anyone but operators. The account's
 * changes follow one another, so that of two owners who disable each other at the same moment one remains.
 */
export async function changeUser(admin: AdminContext, named: string, wanted: UserChange): Promise<UserSummary> {
  return await change(admin, async (inside) => {
    await holdOperators(inside);
    await holdAccount(inside, (await findUser(inside, named)).account_id);
    const before = await findUser(inside, named, true);
    if (before.role === "operator") await requireRole(inside, ["operator"], "only an operator may change an operator");
    else if (before.id !== inside.userId)
      await requireRole(inside, ["owner", "operator"], "only an owner or an operator may change another user");
    const { to, action, detail, check, keepSession } = wanted;
    await check?.(inside, before);
    const done = { action, subject: before.id, account: before.account_id, detail: detail?.(before) ?? {} };
    const after = await writeRow(inside, "users", to, done);
    let ended = inside.db.deleteFrom("sessions").where("user_id", "=", before.id);
    if (keepSession !== undefined) ended = ended.where("digest", "!=", sessionDigest(keepSession));
    await ended.execute();
    return toSummary(after);
  });
}

/** Gives a user another role, in effect at the next sign-in. */
export async function setRole(admin: AdminContext, named: string, role: UserRole): Promise<UserSummary> {
  const detail = (before: UserRow): object => ({ before: before.role, role });
  return await changeUser(admin, named, { to: { role }, action: "user.set_role", detail });
}

/**
 * Disables a user at once on all nodes, or enables them if the plan has room. Their keys belong to the account and
 * stay.
 */
export async function disableUser(admin: AdminContext, named: string, isDisabled: boolean): Promise<UserSummary> {
  return await changeUser(admin, named, {
    to: { disabled_at: isDisabled ? new Date(admin.clock()) : null },
    action: isDisabled ? "user.disable" : "user.enable",
    check: async (inside, { account_id, disabled_at }) => {
      if (isDisabled) return;
      if (disabled_at !== null) await requireQuotaForUser(inside, account_id);
    },
  });
}

export type Reset = { readonly own?: string | undefined; readonly hash?: Hash };

/** Sets a user's password: `own` if given, else a generated one, returned once, that must be changed. */
export async function resetPassword(
  admin: AdminContext,
  named: string,
  { own, hash }: Reset = {},
): Promise<CreatedUser> {
  const { id, email, name } = await findUser(admin, named);
  if (own !== undefined) requireNotOwn(readInput(passwordInput, own), { email, name }, "password");
  const { columns, reported } = await newPassword(own, hash, await findHashLike(admin, email, id));
  const wanted = { to: columns, action: "user.reset_password" };
  return { user: await changeUser(admin, named, wanted), password: reported };
}
