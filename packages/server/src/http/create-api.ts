import { isObject } from "../query/as-documented.ts";
import fastify, { type FastifyInstance } from "fastify";
import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { CallerError } from "../definition/errors.ts";
import { createAdmit, createCharging } from "./admission.ts";
import { answerError, answerRaw, type RawAnswer } from "./error-answers.ts";
import { boundConnections, holdRefusals } from "./address-limits.ts";
import { DEFAULT_BOUNDS, type Bounds } from "./bounds.ts";
import { addRequestEnd } from "./request-end.ts";
import { createConcurrencyLimits } from "./concurrency-limits.ts";
import { createListener } from "./create-listener.ts";
import { addRequestStart } from "./request-start.ts";
import type { Pages } from "./pages/create-pages.ts";
import { trustingForwarded, forwarding, type ForwardTarget } from "./forward-request.ts";
import { createRequestIds } from "./request-id.ts";
import { createRetrieve, type RetrieveOptions } from "./retrieve.ts";
import type { ServerOptions } from "./server-options.ts";
import { addStopping } from "./stopping.ts";

type Body = Readonly<Record<string, unknown>>;

/** Path of the endpoint's older form, whose body has limit and offset at the top level. */
export const RETRIEVAL_ALIAS = "/api/v1/retrieval/parameterized";

/** Converts such a body to the endpoint's form; values in `pagination` take precedence. */
export function withPagination({ limit, offset, ...body }: Body): Body {
  const atTop = { ...(limit == null ? {} : { limit }), ...(offset == null ? {} : { offset }) };
  const pagination = body["pagination"] ?? {};
  return { ...body, pagination: isObject(pagination) ? { ...atTop, ...pagination } : pagination };
}

/** Endpoint path of all datasets. */
export const ENDPOINT = "/api/v2/semantic/retrieve/parameterized";

type ApiOptions = Pick<
  ServerOptions,
  | "ask"
  | "access"
  | "catalogue"
  | "metrics"
  | "log"
  | "publicUrl"
  | "clock"
  | "monotonicMs"
  | "trustedProxies"
  | "bounds"
  | "forwardingSecret"
> & {
  /** Target for requests other than the endpoint's; if absent, this process adds and serves their routes. */
  readonly forwardTo?: ForwardTarget;
  /** Answers paths without a route, if it can. */
  readonly pageInstead?: Pages["instead"];
};

export type Api = {
  readonly app: FastifyInstance;
  readonly asking: RetrieveOptions;
  /** Whether new requests are refused. */
  readonly isStopping: () => boolean;
};

/** Creates the checks every request passes, and the endpoint; not yet listening. */
export function createApi(options: ApiOptions): Api {
  const bounds: Bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const concurrency = createConcurrencyLimits(bounds.maxAsks, bounds.maxAsksOfOne);
  const { metrics, log, publicUrl, forwardTo, forwardingSecret, pageInstead = () => false } = options;
  metrics.watch(concurrency.inFlight);
  const nextId = createRequestIds(options.clock);
  const refusals = new WeakMap<Duplex, RawAnswer>();
  const refused = (answer: RawAnswer, socket: Duplex): void => {
    const { error, requestId } = answer;
    refusals.set(socket, answer);
    metrics.answered("none", error.status, 0, 0);
    const line = { request_id: requestId, status: error.status, code: error.code, why: error.message };
    if (error.status < 500) log.info(line, "refused");
    else log.error({ ...line, err: error.cause }, "refused");
  };
  const serverFactory = (handler: RequestListener): Server => {
    const listening = { bounds, publicUrl, nextId: () => nextId(undefined), refused };
    const own = forwardingSecret === undefined ? handler : trustingForwarded(forwardingSecret, handler);
    const whole = forwardTo === undefined ? own : forwarding(forwardTo, ENDPOINT, own, listening);
    const server = createListener(whole, listening);
    boundConnections(server, { bounds, trustedProxies: options.trustedProxies, closed: metrics.connectionClosed });
    return server;
  };
  const app = fastify({
    serverFactory,
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    routerOptions: { ignoreTrailingSlash: true },
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      const error = new CallerError("NOT_FOUND", "The path is not valid.");
      const answer: RawAnswer = { error, requestId: request.id, publicUrl };
      refused(answer, request.raw.socket);
      answerRaw(request.raw.socket, answer);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  const hold = holdRefusals(bounds, metrics);
  app.setErrorHandler(async (error, request, reply) => {
    await hold(request, reply, error);
    return answerError(error, request, reply, publicUrl);
  });
  const stopping = addStopping(app, bounds.stopTimeoutMs);
  addRequestEnd(app, { access: options.access, metrics, log, refusals, hasCut: stopping.hasCut });
  addRequestStart(app, stopping.hasBegun, pageInstead);
  const nameOf = new Map(options.catalogue.map((dataset) => [dataset.agentId, dataset.name]));
  const { ask, access, clock, monotonicMs = clock } = options;
  const charging = createCharging(access, monotonicMs);
  const asking = { ask, access, charging, concurrency, bounds, nameOf, clock };
  const onRequest = createAdmit(access, charging);
  app.post(ENDPOINT, { onRequest }, createRetrieve(asking));
  app.post(RETRIEVAL_ALIAS, { onRequest }, createRetrieve(asking, withPagination));
  return { app, asking, isStopping: stopping.hasBegun };
}
