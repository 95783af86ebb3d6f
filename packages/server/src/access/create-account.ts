import { ulid } from "ulid";
import { z } from "zod";
import type { AccountRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import { insertUser, type CreatedUser } from "./create-user.ts";
import type { Desk } from "./desk.ts";
import { emailInput } from "./email-input.ts";
import { findPlan } from "./find-plan.ts";
import { firstPassword } from "./first-password.ts";
import { passwordInput } from "./password-input.ts";
import { hashPassword } from "./passwords.ts";
import { readInput } from "./read-input.ts";

const input = z.strictObject({
  name: z.string().trim().min(1).max(200),
  /** The account's, and the owner's who signs in with it. */
  email: emailInput,
  plan: z.string().default("free"),
  /** Of the account's first user. */
  role: z.enum(["owner", "operator"]).default("owner"),
  /** The owner's own; absent to have a first one made that must be changed. */
  password: passwordInput.optional(),
});

export type CreatedAccount = CreatedUser & { readonly account: AccountRow };

/**
 * Makes an account and the user who owns it. Throws AccessError: invalid input, not_found plan, conflict when the
 * address is taken.
 */
export async function createAccount(
  desk: Desk,
  asked: z.input<typeof input>,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<CreatedAccount> {
  const { role, password: own, ...wanted } = readInput(input, asked);
  const password = own ?? firstPassword();
  const password_hash = await hash(password);
  return await change(desk, async (inside) => {
    const account = await insertAccount(inside, wanted);
    const { name, email } = wanted;
    const user = await insertUser(inside, {
      account_id: account.id,
      email,
      name,
      role,
      password_hash,
      must_change_password: own === undefined,
    });
    return { account, user, password: own === undefined ? password : undefined };
  });
}

type NewAccount = { readonly name: string; readonly email: string; readonly plan: string };

async function insertAccount(desk: Desk, wanted: NewAccount): Promise<AccountRow> {
  await findPlan(desk, wanted.plan);
  const created = await desk.db
    .insertInto("accounts")
    .values({ id: `acc_${ulid(desk.clock())}`, ...wanted, created_at: new Date(desk.clock()) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!created) throw new AccessError("conflict", `an account with the address ${wanted.email} exists already`);
  await audit(desk, { action: "account.create", subject: created.id, account: created.id, detail: wanted });
  return created;
}
