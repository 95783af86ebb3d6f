import { z } from "zod";
import { AccessError, readInput } from "../../access/access-error.ts";
import { createUser, disableUser, listUsers, resetPassword, setRole, type UserSummary } from "../../access/users.ts";
import { findUser } from "../../access/find.ts";
import { mayReach, mayGive } from "../../access/rights.ts";
import type { SessionUser } from "../../access/sessions.ts";
import { accountRequested } from "./console-routes.ts";
import type { ConsoleCall, ConsoleRouter } from "./console-router.ts";
import type { ConsoleOptions } from "./console-options.ts";

const role = z.enum(["member", "owner", "operator"]);
const listInput = z.strictObject({ account: z.string().optional(), after: z.string().optional() });
const makeInput = z.strictObject({ email: z.string(), name: z.string(), role, account: z.string().optional() });
const roleInput = z.strictObject({ role });

/** Users of an account: list, create, disable, enable, reset password, change role. */
export function addUserRoutes({ on }: ConsoleRouter, { console: { passwords } }: ConsoleOptions): void {
  on("users.list", async ({ user, admin, query }) => {
    const { account, after } = readInput(listInput, query);
    return await listUsers(admin, accountRequested(user, "users.read", account), after);
  });
  on("users.make", async ({ user, admin, body, reply }) => {
    const { account, ...requested } = readInput(makeInput, body);
    requireGiving(user, requested.role);
    const named = accountRequested(user, "users.change", account) ?? user.account.id;
    const made = await createUser(admin, { account: named, ...requested }, passwords.hash);
    reply.code(201);
    return made;
  });
  on("users.disable", async (call) => ({ user: await disableUser(call.admin, await otherUser(call), true) }));
  on("users.enable", async (call) => ({ user: await disableUser(call.admin, await otherUser(call), false) }));
  on("users.reset", async (call) => await resetPassword(call.admin, await otherUser(call), { hash: passwords.hash }));
  on("users.set_role", async (call) => {
    const requested = readInput(roleInput, call.body);
    requireGiving(call.user, requested.role);
    return { user: await setRole(call.admin, await otherUser(call), requested.role) };
  });
}

function requireGiving(user: SessionUser, wanted: z.infer<typeof role>): void {
  if (!mayGive(user.role, wanted)) throw new AccessError("forbidden", `only an operator makes a user an ${wanted}`);
}

/** The id in the path, of another user whom the caller may change. Throws not found for a user of another account. */
async function otherUser({ user, admin, params }: ConsoleCall): Promise<string> {
  const id = params["id"] ?? "";
  const other = id.startsWith("usr_") ? await findUser(admin, id) : undefined;
  if (other === undefined || !mayReach(user, "users.change", other)) {
    throw new AccessError("not_found", `no user has the id or address ${id}`);
  }
  if (other.id === user.id)
    throw new AccessError("conflict", "this is your own user; ask another owner or the operator");
  requireMayChange(user, other);
  return other.id;
}

function requireMayChange(user: SessionUser, { role: held }: Pick<UserSummary, "role">): void {
  if (!mayGive(user.role, held)) throw new AccessError("forbidden", "only an operator may change an operator");
}
