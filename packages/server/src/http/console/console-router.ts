import { z } from "zod";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../../access/change.ts";
import { type SessionUser, isCsrfTokenOf } from "../../access/sessions.ts";
import { parseBody, readBody, requireJson } from "../request-body.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from "./console-routes.ts";
import { AccessError, readInput } from "../../access/access-error.ts";
import type { IncomingHttpHeaders } from "node:http";
import { CallerError } from "../../definition/errors.ts";
import type { Console } from "../../access/console.ts";
import { reachOf, type Right } from "../../access/rights.ts";
import { sessionCookie } from "./cookie.ts";

const MAX_BODY_BYTES = 16 * 1024;

/** One admitted request. `user` is signed in and has the route's right, within that right's reach. */
export type ConsoleCall = {
  readonly user: SessionUser;
  /** The session's secret. */
  readonly token: string;
  readonly admin: AdminContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/**
 * Returns the JSON to send (the status set on `reply`, otherwise 200), or nothing for 204; it may also send the reply
 * itself.
 */
export type ConsoleHandler = (call: ConsoleCall) => Promise<unknown>;
export type PublicHandler = (call: Pick<ConsoleCall, "admin" | "body" | "request" | "reply">) => Promise<unknown>;

type PublicName = {
  [K in ConsoleRouteName]: (typeof CONSOLE_ROUTES)[K]["right"] extends null ? K : never;
}[ConsoleRouteName];

export type ConsoleRouter = {
  /** Handles a route: origin, session, right and CSRF token are checked first, and the body is read within limits. */
  readonly on: (name: Exclude<ConsoleRouteName, PublicName>, handler: ConsoleHandler) => void;
  readonly onPublic: (name: PublicName, handler: PublicHandler) => void;
};

export function createConsoleRouter(app: FastifyInstance, options: ConsoleOptions): ConsoleRouter {
  const { console, access, publicUrl, bounds } = options;
  const bodyOf = async (route: ConsoleRoute, request: FastifyRequest): Promise<Readonly<Record<string, unknown>>> => {
    if (route.reads !== "json") return {};
    requireJson(request.headers);
    const bytes = await readBody(request.raw, { ...bounds, maxBodyBytes: MAX_BODY_BYTES });
    return parseBody(bytes, bounds.maxNesting);
  };
  const add = (route: ConsoleRoute, run: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): void => {
    app.route({
      method: route.method,
      url: `/api/console${route.path}`,
      exposeHeadRoute: false,
      handler: async (request, reply) => {
        reply.header("cache-control", "no-store");
        if (route.method !== "GET") requireSameOrigin(request.headers, publicUrl);
        const answer = await run(request, reply);
        if (route.changesKeys) access.forget();
        // A reply is thenable, so a handler that returned it yields undefined here.
        return reply.sent ? reply : sendJson(answer, request, reply);
      },
    });
  };
  return {
    onPublic: (name, handler) => {
      const route: ConsoleRoute = CONSOLE_ROUTES[name];
      add(route, async (request, reply) => {
        const body = await bodyOf(route, request);
        return await handler({ admin: console.adminOf(undefined), body, request, reply });
      });
    },
    on: (name, handler) => {
      const route: ConsoleRoute & { readonly right: Right } = CONSOLE_ROUTES[name];
      add(route, async (request, reply) => {
        const { token, user } = await requireSession(console, request);
        requireRight(user, route.right);
        if (route.reads !== "stream") await console.take(user);
        if (route.method !== "GET") requireCsrfToken(request, token);
        const body = await bodyOf(route, request);
        const params = request.params as Readonly<Record<string, string>>;
        const query = request.query as Readonly<Record<string, unknown>>;
        for (const given of [params, query, body]) requireText(given);
        if (route.method === "GET" && !route.takesQuery) readInput(z.strictObject({}), query);
        return await handler({ user, token, admin: console.adminOf(user), params, query, body, request, reply });
      });
    },
  };
}

function sendJson(answer: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answer === undefined) return reply.code(204).send();
  const body = Buffer.from(JSON.stringify(answer));
  request.state.bytes = body.length;
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}

/**
 * Throws AccessError "invalid" if a text at any depth contains a NUL, which the records can neither store nor search.
 */
function requireText(value: unknown, path = ""): void {
  if (typeof value === "string" && value.includes("\u0000")) {
    const problem = "expected text without NUL characters";
    throw new AccessError("invalid", `${path}: ${problem}`, [{ path, problem }]);
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) requireText(one, path === "" ? name : `${path}.${name}`);
}

/**
 * Refuses a change requested by a page of another origin. Compares what a browser sends: Sec-Fetch-Site, and Origin
 * with the requested host (or the public address, if a proxy changes the host). Other programs send neither.
 */
function requireSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") throw crossOrigin();
  const { origin } = headers;
  if (origin === undefined) return;
  if (!URL.canParse(origin)) throw crossOrigin();
  const { host } = new URL(origin);
  if (host === "" || (host !== headers.host?.toLowerCase() && host !== new URL(publicUrl).host)) throw crossOrigin();
}

function crossOrigin(): CallerError {
  return new CallerError(
    "FORBIDDEN",
    "The request comes from a page of another origin; open the console at its own address.",
  );
}

type Session = { readonly token: string; readonly user: SessionUser };

/** Returns the current session. Throws UNAUTHENTICATED. */
async function requireSession(console: Console, request: FastifyRequest): Promise<Session> {
  const token = sessionCookie(request);
  const user = token === undefined ? undefined : await findUser(console, token);
  if (token === undefined || user === undefined) {
    throw new CallerError("UNAUTHENTICATED", "Not signed in, or the session has ended; sign in.");
  }
  request.state.user = user.id;
  return { token, user };
}

async function findUser(console: Console, token: string): Promise<SessionUser | undefined> {
  try {
    return await console.findSession(token);
  } catch (cause) {
    // Refusing more lookups than can run at once is not a fault of ours, and not an error for the log.
    if (cause instanceof CallerError) throw cause;
    throw new CallerError("UNAVAILABLE", "Sessions cannot be checked now; try again in a second.", {
      retryAfterSeconds: 1,
      cause,
    });
  }
}

/**
 * Throws FORBIDDEN if the user's role lacks the right, and PASSWORD_CHANGE_REQUIRED while the password was set by
 * another user.
 */
function requireRight(user: SessionUser, right: Right): void {
  if (user.mustChangePassword && right !== "session.own") {
    throw new CallerError("PASSWORD_CHANGE_REQUIRED", "The password was set by someone else; choose your own first.");
  }
  if (reachOf(user.role, right) === undefined) {
    throw new CallerError(
      "FORBIDDEN",
      `A user with the role ${user.role} may not do this; ask an owner or the operator.`,
    );
  }
}

/**
 * Every change carries the token that GET /api/console/session returns for this session. Throws FORBIDDEN, with the
 * header in its details: a page with the token of an earlier session then reads the session again.
 */
function requireCsrfToken(request: FastifyRequest, token: string): void {
  const sent = request.headers["x-csrf-token"];
  if (typeof sent === "string" && isCsrfTokenOf(token, sent)) return;
  throw new CallerError(
    "FORBIDDEN",
    "The header x-csrf-token is missing or not this session's; GET /api/console/session gives it.",
    { details: [{ path: "x-csrf-token", problem: "not of this session" }] },
  );
}
