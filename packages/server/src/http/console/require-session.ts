import type { FastifyRequest } from "fastify";
import type { Console } from "../../access/console.ts";
import { reachOf, type Right } from "../../access/rights.ts";
import { isCsrfTokenOf } from "../../access/session-token.ts";
import type { SessionUser } from "../../access/session-user.ts";
import { CallerError } from "../../definition/errors.ts";
import { sessionCookie } from "./cookie.ts";

export type Session = { readonly token: string; readonly user: SessionUser };

/** Who is signed in. Throws UNAUTHENTICATED. */
export async function requireSession(console: Console, request: FastifyRequest): Promise<Session> {
  const token = sessionCookie(request);
  const user = token === undefined ? undefined : await findUser(console, token);
  if (token === undefined || user === undefined) {
    throw new CallerError("UNAUTHENTICATED", "Nobody is signed in, or the session has ended; sign in.");
  }
  request.visit.user = user.id;
  return { token, user };
}

async function findUser(console: Console, token: string): Promise<SessionUser | undefined> {
  try {
    return await console.findSession(token);
  } catch (cause) {
    throw new CallerError("UNAVAILABLE", "Sessions cannot be checked now; try again in a second.", {
      retryAfterSeconds: 1,
      cause,
    });
  }
}

/** Throws FORBIDDEN when the user's role has not the right, and PASSWORD_CHANGE_REQUIRED while the password is somebody else's. */
export function requireRight(user: SessionUser, right: Right): void {
  if (user.mustChangePassword && right !== "session.own") {
    throw new CallerError(
      "PASSWORD_CHANGE_REQUIRED",
      "The password was made by somebody else; choose one of your own first.",
    );
  }
  if (reachOf(user.role, right) === undefined) {
    throw new CallerError(
      "FORBIDDEN",
      `A user with the role ${user.role} may not do this; ask an owner or the operator.`,
    );
  }
}

/**
 * Every change carries the token that GET /api/console/session gives to this session. Throws FORBIDDEN, with the header in
 * its details: a page whose token is of a former session of the browser reads the session again.
 */
export function requireCsrfToken(request: FastifyRequest, token: string): void {
  const sent = request.headers["x-csrf-token"];
  if (typeof sent === "string" && isCsrfTokenOf(token, sent)) return;
  throw new CallerError(
    "FORBIDDEN",
    "The header x-csrf-token is missing or not this session's; GET /api/console/session gives it.",
    { details: [{ path: "x-csrf-token", problem: "not of this session" }] },
  );
}
