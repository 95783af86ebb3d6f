import { ulid } from "ulid";
import { z } from "zod";
import type { UserRole } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { emailInput } from "./email-input.ts";
import { findAccount } from "./find-account.ts";
import { firstPassword } from "./first-password.ts";
import { passwordInput } from "./password-input.ts";
import { hashPassword } from "./passwords.ts";
import { readInput } from "./read-input.ts";
import { toUserSummary, type UserSummary } from "./user-summary.ts";

const MAX_USERS = 200;

const input = z.strictObject({
  /** An account's id or e-mail address. */
  account: z.string().min(1),
  email: emailInput,
  name: z.string().trim().min(1).max(200),
  role: z.enum(["member", "owner", "operator"]).default("member"),
  /** The user's own; absent to have a first one made that must be changed. */
  password: passwordInput.optional(),
});

/** `password` is the first one: it is given here, once, and stored nowhere. Absent when the user's own was given. */
export type CreatedUser = { readonly user: UserSummary; readonly password: string | undefined };

/** Makes a user. Throws AccessError: invalid input, not_found account, conflict when the address is taken or the account full. */
export async function createUser(
  desk: Desk,
  asked: z.input<typeof input>,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<CreatedUser> {
  const { account: named, password: own, ...wanted } = readInput(input, asked);
  const password = own ?? firstPassword();
  const password_hash = await hash(password);
  return await change(desk, async (inside) => {
    const account = await findAccount(inside, named);
    await requireRoom(inside, account.id);
    const user = await insertUser(inside, {
      ...wanted,
      account_id: account.id,
      password_hash,
      must_change_password: own === undefined,
    });
    return { user, password: own === undefined ? password : undefined };
  });
}

type NewUser = {
  readonly account_id: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly password_hash: string;
  readonly must_change_password: boolean;
};

/** The new user's row and its audit line; the caller brings the transaction. */
export async function insertUser(desk: Desk, wanted: NewUser): Promise<UserSummary> {
  const created = await desk.db
    .insertInto("users")
    .values({ id: `usr_${ulid(desk.clock())}`, ...wanted, created_at: new Date(desk.clock()) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!created) throw new AccessError("conflict", `a user with the address ${wanted.email} exists already`);
  const { id, account_id, email, name, role } = created;
  await audit(desk, { action: "user.create", subject: id, account: account_id, detail: { email, name, role } });
  return toUserSummary(created);
}

async function requireRoom(desk: Desk, accountId: string): Promise<void> {
  const { count } = await desk.db
    .selectFrom("users")
    .select((all) => all.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_USERS) throw new AccessError("conflict", `the account has ${MAX_USERS} users already`);
}
