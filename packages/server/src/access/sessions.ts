import { timingSafeEqual, createHash, randomBytes } from "node:crypto";
import type { InferResult } from "kysely";
import { audit, change, type AdminContext } from "./change.ts";
import type { UserRole } from "../records/schema.ts";
import { planOf, type Caller, type CallerPlan } from "./caller.ts";

const FORM = /^[A-Za-z0-9_-]{43}$/;

/** The secret of a session's cookie: 256 random bits. */
export function newSessionToken(): string {
  return randomBytes(32).toString("base64url");
}

function isSessionToken(text: string): boolean {
  return FORM.test(text);
}

/** The stored digest of a session secret. */
export function sessionDigest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** The same as text: the look-up key; undefined for a text without a secret's form. */
export function sessionId(token: string): string | undefined {
  return isSessionToken(token) ? sessionDigest(token).toString("base64") : undefined;
}

/** The token a page must send with every change: derived from the cookie, which another origin's page cannot read. */
export function csrfTokenOf(token: string): string {
  return createHash("sha256").update(`almanac csrf ${token}`).digest("base64url");
}

export function isCsrfTokenOf(token: string, sent: string): boolean {
  const right = Buffer.from(csrfTokenOf(token));
  const given = Buffer.from(sent);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Lifetime of a session: while unused, and in total. */
export type SessionBounds = { readonly idleMs: number; readonly maxMs: number };

/** How often a session's last use is written. */
const SEEN_MS = 60_000;

type Sessions = Pick<AdminContext, "db" | "clock">;

/** The user of this session secret; undefined if unknown, expired, unused for too long, or disabled. */
export async function findSession(
  admin: Sessions,
  bounds: SessionBounds,
  token: string,
): Promise<SessionUser | undefined> {
  const id = sessionId(token);
  return id === undefined ? undefined : (await findSessions(admin, bounds, [id])).get(id);
}

/** The users of the valid ones among these secrets, by their digests in base64. */
export async function findSessions(
  admin: Sessions,
  bounds: SessionBounds,
  digests: readonly string[],
): Promise<ReadonlyMap<string, SessionUser>> {
  const rows = await openSessions(admin.db)
    .where(
      "session.digest",
      "in",
      digests.map((digest) => Buffer.from(digest, "base64")),
    )
    .execute();
  const now = admin.clock();
  const unusedMs = (row: Row): number => now - row.last_seen_at.getTime();
  const alive = rows.filter((row) => now < row.expires_at.getTime() && unusedMs(row) < bounds.idleMs);
  const seen = alive.filter((row) => unusedMs(row) >= Math.min(SEEN_MS, bounds.idleMs / 2)).map(({ digest }) => digest);
  if (seen.length > 0)
    await admin.db
      .updateTable("sessions")
      .set({ last_seen_at: new Date(now) })
      .where("digest", "in", seen)
      .execute()
      // On a full disk reads work and writes do not: the session stays valid and merely ends sooner.
      .catch(() => undefined);
  return new Map(alive.map((row) => [Buffer.from(row.digest).toString("base64"), toUser(row)]));
}

const openSessions = (db: AdminContext["db"]) =>
  db
    .selectFrom("sessions as session")
    .innerJoin("users as user", "user.id", "session.user_id")
    .innerJoin("accounts as account", "account.id", "user.account_id")
    .innerJoin("plans as plan", "plan.name", "account.plan")
    .select(["session.digest", "session.last_seen_at", "session.expires_at"])
    .select(["user.id", "user.email", "user.name", "user.role", "user.must_change_password"])
    .select(["account.id as account_id", "account.name as account_name"])
    .select(["plan.name as plan_name", "plan.requests_per_minute", "plan.burst", "plan.max_page", "plan.datasets"])
    .select(["plan.at_once", "plan.key_at_once", "plan.max_list"])
    .where("user.disabled_at", "is", null)
    .where("account.disabled_at", "is", null);

type Row = InferResult<ReturnType<typeof openSessions>>[number];

const toUser = (row: Row): SessionUser => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  mustChangePassword: row.must_change_password,
  account: {
    id: row.account_id,
    name: row.account_name,
    plan: planOf({ ...row, name: row.plan_name }),
  },
});

/** Ends the session with this secret. */
export async function signOut(admin: AdminContext, token: string, user: SessionUser): Promise<void> {
  await change(admin, async (inside) => {
    await dropSession(inside, token);
    await audit(inside, { action: "session.end", subject: user.id, account: user.account.id });
  });
}

/** Deletes the session of a secret, if there is one. */
export async function dropSession(admin: AdminContext, token: string): Promise<void> {
  if (!isSessionToken(token)) return;
  await admin.db.deleteFrom("sessions").where("digest", "=", sessionDigest(token)).execute();
}

/** The signed-in user. */
export type SessionUser = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  /** True until a password set by another user has been replaced; nothing else is allowed before. */
  readonly mustChangePassword: boolean;
  readonly account: { readonly id: string; readonly name: string; readonly plan: CallerPlan };
};

/** The user as a caller of datasets: strict mode, all that the account's plan allows, usage under the user's id. */
export function toCaller({ id, account }: SessionUser): Caller {
  return {
    keyId: id,
    prefix: id,
    accountId: account.id,
    plan: account.plan,
    keyPace: null,
    datasets: null,
    mode: "strict",
  };
}
