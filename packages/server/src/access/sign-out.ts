import { audit } from "./audit.ts";
import { change } from "./change.ts";
import type { Desk } from "./desk.ts";
import { isSessionToken, sessionDigest } from "./session-token.ts";
import type { SessionUser } from "./session-user.ts";

/** Ends the session with this secret. */
export async function signOut(desk: Desk, token: string, user: SessionUser): Promise<void> {
  await change(desk, async (inside) => {
    await dropSession(inside, token);
    await audit(inside, { action: "session.end", subject: user.id, account: user.account.id });
  });
}

/** The session of a secret that may be nobody's. */
export async function dropSession(desk: Desk, token: string): Promise<void> {
  if (!isSessionToken(token)) return;
  await desk.db.deleteFrom("sessions").where("digest", "=", sessionDigest(token)).execute();
}
