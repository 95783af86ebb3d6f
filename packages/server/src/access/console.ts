import type { Records } from "../records/records.ts";
import type { Desk } from "./desk.ts";
import { findSession } from "./find-session.ts";
import { openPasswords, type Passwords } from "./passwords.ts";
import type { SessionBounds } from "./session-bounds.ts";
import type { SessionUser } from "./session-user.ts";
import { openSignInThrottle, type LimiterMaker, type SignInThrottle, type ThrottleBounds } from "./sign-in-throttle.ts";

/** What the console's door stands on: who is signed in, and a desk for them. */
export type Console = {
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly bounds: SessionBounds;
  readonly clock: () => number;
  readonly findSession: (token: string) => Promise<SessionUser | undefined>;
  /** From where this user manages things; without one, for who is not signed in yet. */
  readonly deskOf: (user: SessionUser | undefined) => Desk;
};

export type ConsoleOptions = {
  readonly records: Pick<Records, "db">;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly bounds: SessionBounds;
  readonly throttle: ThrottleBounds;
  /** Where tries are counted; in this process when absent. */
  readonly limiter?: LimiterMaker;
  readonly passwords?: Passwords;
};

export function openConsole({ records, clock, bounds, throttle, limiter, passwords }: ConsoleOptions): Console {
  const { db } = records;
  return {
    passwords: passwords ?? openPasswords(),
    throttle: openSignInThrottle(throttle, limiter),
    bounds,
    clock,
    findSession: (token) => findSession({ db, clock }, bounds, token),
    deskOf: (user) =>
      user === undefined ? { db, clock, actor: "nobody" } : { db, clock, actor: user.email, userId: user.id },
  };
}
