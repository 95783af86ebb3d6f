import type { Records } from "../records/records.ts";
import type { AdminContext } from "./change.ts";
import { memoryLimiter, takePoint, type LimiterMaker, openSignInThrottle, type ThrottleBounds } from "./limiter.ts";
import { openPasswords, type Passwords } from "./passwords.ts";
import { findSessions, type SessionBounds, sessionId, type SessionUser } from "./sessions.ts";
import type { SignInHouse } from "./sign-in.ts";
import { openIdLookup } from "./id-lookup.ts";

const MAX_KNOWN = 10_000;

/** Services of the console's endpoints: sessions, and the context of each user. */
export type Console = SignInHouse & {
  readonly clock: () => number;
  /** Counts one request of a signed-in user. Throws RATE_LIMITED. */
  readonly take: (user: SessionUser) => Promise<void>;
  /** The user of this session secret. Throws CallerError UNAVAILABLE if too many unknown ones are being looked up. */
  readonly findSession: (token: string) => Promise<SessionUser | undefined>;
  /** The context of this user, or of a client that is not signed in. */
  readonly adminOf: (user: SessionUser | undefined) => AdminContext;
};

export type ConsoleOptions = {
  readonly records: Pick<Records, "db">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly bounds: SessionBounds;
  readonly throttle: ThrottleBounds;
  /** Counts attempts and requests; in this process if absent. */
  readonly limiter?: LimiterMaker | undefined;
  readonly passwords?: Passwords;
};

/** Several times the requests of the busiest page with charts; dataset requests use the plan's own allowance. */
const REQUESTS_A_MINUTE = 600;

export function openConsole(options: ConsoleOptions): Console {
  const { records, clock, bounds, throttle, limiter = memoryLimiter, passwords } = options;
  const { db } = records;
  const pace = limiter({ keyPrefix: "console_user", points: REQUESTS_A_MINUTE, duration: 60 });
  const lookUp = openIdLookup(MAX_KNOWN, (ids) => findSessions({ db, clock }, bounds, ids));
  return {
    passwords: passwords ?? openPasswords(),
    throttle: openSignInThrottle(throttle, limiter),
    bounds,
    clock,
    take: (user) => takePoint(pace, user.id, "Too many requests of yours to the console"),
    findSession: async (token) => {
      const id = sessionId(token);
      return id === undefined ? undefined : await lookUp(id);
    },
    adminOf: (user) =>
      user === undefined ? { db, clock, actor: "nobody" } : { db, clock, actor: user.email, userId: user.id },
  };
}
