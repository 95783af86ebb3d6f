import type { Desk } from "./desk.ts";
import { findSession } from "./find-session.ts";
import type { SessionBounds } from "./session-bounds.ts";
import { sessionDigest } from "./session-token.ts";
import type { SessionUser } from "./session-user.ts";
import { openStrangers } from "./strangers.ts";

const MAX_MET = 10_000;

/** Finds who is signed in with a secret, strangers in turn. */
export function sessionFinder(
  desk: Pick<Desk, "db" | "clock">,
  bounds: SessionBounds,
): (token: string) => Promise<SessionUser | undefined> {
  const strangers = openStrangers<SessionUser>(MAX_MET);
  return async (token) =>
    await strangers(sessionDigest(token).toString("base64"), () => findSession(desk, bounds, token));
}
