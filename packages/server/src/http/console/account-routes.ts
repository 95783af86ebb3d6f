import { z } from "zod";
import { AccessError, readInput } from "../../access/access-error.ts";
import { createAccount, disableAccount, listAccounts, setPlan } from "../../access/accounts.ts";
import { findAccount } from "../../access/find.ts";
import type { ConsoleCall, ConsoleRouter } from "./console-router.ts";
import type { ConsoleOptions } from "./console-options.ts";

const listInput = z.strictObject({ after: z.string().optional() });
const makeInput = z.strictObject({ name: z.string(), email: z.string(), plan: z.string() });
const planInput = z.strictObject({ plan: z.string() });

/** Account routes for the operator. */
export function addAccountRoutes({ on }: ConsoleRouter, { console: { passwords } }: ConsoleOptions): void {
  on("accounts.list", async ({ admin, query }) => await listAccounts(admin, readInput(listInput, query).after));
  on("accounts.make", async ({ admin, body, reply }) => {
    const made = await createAccount(admin, readInput(makeInput, body), passwords.hash);
    reply.code(201);
    return made;
  });
  on("accounts.set_plan", async (call) => {
    const { plan } = readInput(planInput, call.body);
    return { account: await setPlan(call.admin, await accountToChange(call), plan) };
  });
  on("accounts.disable", async (call) => {
    const id = await accountToChange(call);
    if (id === call.user.account.id)
      throw new AccessError("conflict", "this is your own account; you could not undo it here");
    return { account: await disableAccount(call.admin, id, true) };
  });
  on("accounts.enable", async (call) => ({
    account: await disableAccount(call.admin, await accountToChange(call), false),
  }));
}

/** The account id from the path. */
async function accountToChange({ admin, params }: ConsoleCall): Promise<string> {
  return (await findAccount(admin, params["id"] ?? "")).id;
}
