import { changePassword } from "../../access/change-password.ts";
import { csrfTokenOf } from "../../access/session-token.ts";
import type { SessionUser } from "../../access/session-user.ts";
import { signIn } from "../../access/sign-in.ts";
import { signOut } from "../../access/sign-out.ts";
import type { ConsoleDoor } from "./console-door.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { clearSessionCookie, sessionCookie, setSessionCookie } from "./cookie.ts";

/** Sign in, who is signed in, sign out, a new password. */
export function addSessionRoutes({ on, onPublic }: ConsoleDoor, { console, publicUrl }: ConsoleOptions): void {
  onPublic("session.start", async ({ desk, body, request, reply }) => {
    const session = sessionCookie(request);
    const asked = body as Parameters<typeof signIn>[2];
    const from = { address: request.ip, ...(session === undefined ? {} : { session }) };
    const { token, user } = await signIn(desk, console, asked, from);
    request.visit.user = user.id;
    setSessionCookie(reply, token, publicUrl, console.bounds.maxMs);
    return { user: shownUser(user), csrf_token: csrfTokenOf(token) };
  });
  on("session.read", async ({ user, token }) => ({ user: shownUser(user), csrf_token: csrfTokenOf(token) }));
  on("session.end", async ({ user, desk, token, reply }) => {
    await signOut(desk, token, user);
    clearSessionCookie(reply, publicUrl);
  });
  on("password", async ({ user, desk, token, body, request }) => {
    const asked = body as Parameters<typeof changePassword>[3];
    await changePassword(desk, console, user, asked, { address: request.ip, session: token });
  });
}

function shownUser({ id, email, name, role, mustChangePassword, account }: SessionUser): object {
  return {
    id,
    email,
    name,
    role,
    must_change_password: mustChangePassword,
    account: { id: account.id, name: account.name, plan: account.plan.name },
  };
}
