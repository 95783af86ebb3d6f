import { ulid } from "ulid";
import { z } from "zod";
import type { AccountRow } from "../records/schema.ts";
import { AccessError } from "./access-error.ts";
import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { findPlan } from "./find-plan.ts";
import { readInput } from "./read-input.ts";

const input = z.strictObject({
  name: z.string().trim().min(1).max(200),
  email: z.email().max(254).toLowerCase(),
  plan: z.string().default("free"),
  role: z.enum(["admin", "member"]).default("member"),
});

/** Makes an account. Throws AccessError: invalid input, not_found plan, conflict when the address is taken. */
export async function createAccount(desk: Desk, asked: z.input<typeof input>): Promise<AccountRow> {
  const account = readInput(input, asked);
  return await change(desk, async (inside) => {
    await findPlan(inside, account.plan);
    const created = await inside.db
      .insertInto("accounts")
      .values({ id: `acc_${ulid(desk.clock())}`, ...account, created_at: new Date(desk.clock()) })
      .onConflict((conflict) => conflict.column("email").doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!created) throw new AccessError("conflict", `an account with the address ${account.email} exists already`);
    await audit(inside, "account.create", created.id, account);
    return created;
  });
}
