import type { FastifyInstance } from "fastify";
import { CallerError } from "../definition/errors.ts";
import type { Pages } from "./pages/create-pages.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import type { Caller } from "../access/caller.ts";

/** Per-request state kept until the log line is written. */
class RequestState {
  caller: Caller | undefined;
  /** Id of the user signed in to the console. */
  user: string | undefined;
  agentId: number | undefined;
  /** The dataset's name, for metrics; "none" until known. */
  dataset = "none";
  /** Units taken from the caller's allowance. */
  heldUnits = 0;
  /** Whether the query's cost is known. */
  isPriced = false;
  rows = 0;
  bytes = 0;
  code: string | undefined;
  cause: unknown;
  /** Delay of its refusal in milliseconds. */
  heldMs = 0;
  /** Whether log, metrics and usage have recorded it. */
  isFinished = false;
}

declare module "fastify" {
  interface FastifyRequest {
    state: RequestState;
  }
}

const STOP_WAIT_SECONDS = 2;

/**
 * First step of every request: its id and the security headers, refusal while stopping, then path and method.
 * `pageInstead` may answer a path that has no route.
 */
export function addRequestStart(app: FastifyInstance, isStopping: () => boolean, pageInstead: Pages["instead"]): void {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methodsOf.get(url) ?? new Set(["OPTIONS"]);
    for (const one of [method].flat()) known.add(one);
    methodsOf.set(url, known);
  });
  app.decorateRequest("state");
  app.addHook("onRequest", (request, reply, done) => {
    request.state = new RequestState();
    reply.headers(SECURITY_HEADERS).header("x-request-id", request.id);
    if (isStopping()) return done(stopping());
    if (!request.is404) return done();
    const methods = methodsOf.get(routeOf(request.url));
    if (methods === undefined && pageInstead(request, reply)) return;
    if (methods === undefined) return done(new CallerError("NOT_FOUND", "There is nothing at this path."));
    const allowed = [...methods].sort().join(", ");
    reply.header("allow", allowed);
    if (request.method === "OPTIONS") return void reply.code(204).send();
    return done(new CallerError("METHOD_NOT_ALLOWED", `This path takes ${allowed} only.`));
  });
}

/** The path used for routing: a trailing slash is ignored. */
const routeOf = (url: string): string => (url.split("?", 1)[0] ?? "").replace(/(?<=.)\/$/, "");

function stopping(): CallerError {
  return new CallerError("UNAVAILABLE", "The service is stopping; try again shortly.", {
    retryAfterSeconds: STOP_WAIT_SECONDS,
  });
}
