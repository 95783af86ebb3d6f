import { z } from "zod";
import { CallerError } from "../definition/errors.ts";
import { audit, change, type AdminContext } from "./change.ts";
import { emailInput, readInput } from "./access-error.ts";
import {
  dropSession,
  findSession,
  type SessionBounds,
  newSessionToken,
  sessionDigest,
  type SessionUser,
} from "./sessions.ts";
import type { Passwords } from "./passwords.ts";
import type { SignInThrottle } from "./limiter.ts";

const MAX_SESSIONS = 20;

const input = z.strictObject({ email: emailInput, password: z.string().min(1).max(1000) });

export type SignInHouse = {
  readonly passwords: Passwords;
  readonly throttle: SignInThrottle;
  readonly bounds: SessionBounds;
};

/** The origin of a sign-in: the address, and the session the browser still has. */
export type SignInFrom = { readonly address: string; readonly session?: string };

export type SignedIn = { readonly token: string; readonly user: SessionUser };

/**
 * Starts a session with a new secret, for the user of this e-mail address whose password matches; the browser's
 * previous one ends. Throws CallerError: UNAUTHENTICATED with the same message if the address is unknown, the password
 * wrong, or user or account disabled; RATE_LIMITED.
 */
export async function signIn(
  admin: AdminContext,
  house: SignInHouse,
  requested: z.input<typeof input>,
  from: SignInFrom,
): Promise<SignedIn> {
  const { email, password } = readInput(input, requested);
  await house.throttle.take(from.address, email);
  const users = await admin.db
    .selectFrom("users")
    .innerJoin("accounts", "accounts.id", "users.account_id")
    .select(["users.id", "users.account_id", "users.email", "users.password_hash", "users.disabled_at"])
    .select("accounts.disabled_at as account_disabled_at")
    .where("users.email", "=", email)
    .orderBy("users.id")
    .execute();
  const stored = users.map(({ password_hash }) => password_hash);
  const isRight = await house.passwords.verify(stored, password);
  const isOpen = ({ disabled_at, account_disabled_at }: (typeof users)[number]): boolean =>
    disabled_at === null && account_disabled_at === null;
  const user = users.find((one, place) => isRight[place] === true && isOpen(one));
  const token = user && (await begin({ ...admin, actor: user.email, userId: user.id }, user, house.bounds, from));
  if (token === undefined) {
    // The input is not logged, because it may be anything, even a password.
    const refused = users.length > 0 ? users : [{ id: "nobody", account_id: null }];
    // If users of several accounts share an e-mail address, no account may learn from where the others sign in.
    const detail = users.length > 1 ? {} : { address: from.address };
    for (const { id, account_id } of refused)
      await audit(admin, { action: "session.refuse", subject: id, account: account_id, detail });
    throw wrongSignIn();
  }
  await house.throttle.giveBack(from.address, email);
  const signedIn = await findSession(admin, house.bounds, token);
  if (!signedIn) throw wrongSignIn();
  return { token, user: signedIn };
}

const wrongSignIn = (): CallerError =>
  new CallerError("UNAUTHENTICATED", "E-mail address or password are wrong, or the user is disabled.");

type Known = { readonly id: string; readonly account_id: string; readonly password_hash: string };

/** The secret of a new session; undefined if the user was disabled or the password set since it was checked. */
async function begin(
  admin: AdminContext,
  user: Known,
  bounds: SessionBounds,
  from: SignInFrom,
): Promise<string | undefined> {
  const token = newSessionToken();
  const now = admin.clock();
  return await change(admin, async (inside) => {
    // Comes first because it locks the user: a change that ends all sessions then ends this one too.
    const unchanged = await inside.db
      .updateTable("users")
      .set({ last_sign_in_at: new Date(now) })
      .where("id", "=", user.id)
      .where("password_hash", "=", user.password_hash)
      .where("disabled_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    if (unchanged === undefined) return undefined;
    if (from.session !== undefined) await dropSession(inside, from.session);
    const newest = await dropOld(inside, user.id, bounds);
    await inside.db
      .insertInto("sessions")
      .values({
        digest: sessionDigest(token),
        user_id: user.id,
        // The oldest are dropped first, also after the clock was set back.
        created_at: new Date(Math.max(now, newest + 1)),
        last_seen_at: new Date(now),
        expires_at: new Date(now + bounds.maxMs),
      })
      .execute();
    await audit(inside, {
      action: "session.start",
      subject: user.id,
      account: user.account_id,
      detail: { address: from.address },
    });
    return token;
  });
}

/** Deletes expired sessions of all users, and this user's oldest beyond the bound; returns when the newest began (ms). */
async function dropOld(admin: AdminContext, userId: string, bounds: SessionBounds): Promise<number> {
  const now = admin.clock();
  await admin.db
    .deleteFrom("sessions")
    .where((by) =>
      by.or([by("expires_at", "<=", new Date(now)), by("last_seen_at", "<=", new Date(now - bounds.idleMs))]),
    )
    .execute();
  const newest = admin.db
    .selectFrom("sessions")
    .select("digest")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .limit(MAX_SESSIONS - 1);
  await admin.db.deleteFrom("sessions").where("user_id", "=", userId).where("digest", "not in", newest).execute();
  const last = await newest.clearSelect().select("created_at").executeTakeFirst();
  return last?.created_at.getTime() ?? 0;
}
