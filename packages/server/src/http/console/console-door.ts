import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Desk } from "../../access/desk.ts";
import type { SessionUser } from "../../access/session-user.ts";
import { parseBody } from "../parse-body.ts";
import { readBody } from "../read-body.ts";
import { requireJson } from "../require-json.ts";
import type { ConsoleOptions } from "./console-options.ts";
import { CONSOLE_ROUTES, type ConsoleRoute, type ConsoleRouteName } from "./console-routes.ts";
import { requireCsrfToken, requireRight, requireSession } from "./require-session.ts";
import { requireSameOrigin } from "./require-same-origin.ts";
import { requireText } from "./require-text.ts";

const MAX_BODY_BYTES = 16 * 1024;

/** One admitted request. `user` is who is signed in and may do what the route's right says, as far as it reaches. */
export type ConsoleCall = {
  readonly user: SessionUser;
  /** The session's secret. */
  readonly token: string;
  readonly desk: Desk;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** Gives what is sent as JSON (the status set on `reply`, 200 else), or nothing for 204; it may send by itself instead. */
export type ConsoleHandler = (call: ConsoleCall) => Promise<unknown>;
export type PublicHandler = (call: Pick<ConsoleCall, "desk" | "body" | "request" | "reply">) => Promise<unknown>;

type PublicName = {
  [K in ConsoleRouteName]: (typeof CONSOLE_ROUTES)[K]["right"] extends null ? K : never;
}[ConsoleRouteName];

export type ConsoleDoor = {
  /** Handles a route: same origin, session, right and CSRF token are checked before, and the body is read within bounds. */
  readonly on: (name: Exclude<ConsoleRouteName, PublicName>, handler: ConsoleHandler) => void;
  readonly onPublic: (name: PublicName, handler: PublicHandler) => void;
};

export function createConsoleDoor(app: FastifyInstance, options: ConsoleOptions): ConsoleDoor {
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
        // A reply is awaited like a promise, so one that was given back is undefined here.
        return reply.sent ? reply : sendJson(answer, request, reply);
      },
    });
  };
  return {
    onPublic: (name, handler) => {
      const route: ConsoleRoute = CONSOLE_ROUTES[name];
      add(route, async (request, reply) => {
        const body = await bodyOf(route, request);
        return await handler({ desk: console.deskOf(undefined), body, request, reply });
      });
    },
    on: (name, handler) => {
      const route = CONSOLE_ROUTES[name];
      add(route, async (request, reply) => {
        const { token, user } = await requireSession(console, request);
        requireRight(user, route.right);
        if (route.reads !== "stream") await console.take(user);
        if (route.method !== "GET") requireCsrfToken(request, token);
        const body = await bodyOf(route, request);
        const params = request.params as Readonly<Record<string, string>>;
        const query = request.query as Readonly<Record<string, unknown>>;
        for (const given of [params, query, body]) requireText(given);
        return await handler({ user, token, desk: console.deskOf(user), params, query, body, request, reply });
      });
    },
  };
}

function sendJson(answer: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (answer === undefined) return reply.code(204).send();
  const body = Buffer.from(JSON.stringify(answer));
  request.visit.bytes = body.length;
  return reply.header("content-type", "application/json; charset=utf-8").send(body);
}
