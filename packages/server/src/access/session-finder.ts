import { LRUCache } from "lru-cache";
import type { Desk } from "./desk.ts";
import { findSession } from "./find-session.ts";
import type { SessionBounds } from "./session-bounds.ts";
import { sessionDigest } from "./session-token.ts";
import type { SessionUser } from "./session-user.ts";
import { openStrangers } from "./strangers.ts";

const MAX_KNOWN = 10_000;

/** Finds who is signed in with a secret. Who was not found here before is a stranger. */
export function sessionFinder(
  desk: Pick<Desk, "db" | "clock">,
  bounds: SessionBounds,
): (token: string) => Promise<SessionUser | undefined> {
  const strangers = openStrangers();
  const known = new LRUCache<string, true>({ max: MAX_KNOWN });
  return async (token) => {
    const id = sessionDigest(token).toString("base64");
    const look = (): Promise<SessionUser | undefined> => findSession(desk, bounds, token);
    const user = await (known.has(id) ? look() : strangers(look));
    if (user) known.set(id, true);
    else known.delete(id);
    return user;
  };
}
