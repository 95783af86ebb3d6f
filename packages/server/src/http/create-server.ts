import fastify, { type FastifyInstance } from "fastify";
import type { RequestListener, Server } from "node:http";
import type { Duplex } from "node:stream";
import { CallerError } from "../definition/errors.ts";
import { createAdmit } from "./admit.ts";
import { answerError } from "./answer-error.ts";
import { answerRaw, type RawAnswer } from "./raw-answer.ts";
import { DEFAULT_BOUNDS, type Bounds } from "./bounds.ts";
import { addConsoleRoutes } from "./console/add-console-routes.ts";
import { addFinishing } from "./finish-visit.ts";
import { createGate } from "./gate.ts";
import { addHealthRoutes } from "./health-routes.ts";
import { createHttpMetrics } from "./http-metrics.ts";
import { createListener } from "./create-listener.ts";
import { addMeeting } from "./meet.ts";
import { createPages } from "./pages/create-pages.ts";
import { addPlainRoutes } from "./plain-routes.ts";
import { createRequestIds } from "./request-id.ts";
import { createRetrieve } from "./retrieve.ts";
import type { ServerOptions } from "./server-options.ts";
import { addStopping } from "./stopping.ts";

/** Where every dataset is asked. */
export const ENDPOINT = "/api/v2/semantic/retrieve/parameterized";

/**
 * The HTTP door, not yet listening. Further routes may be registered on it before `listen`; `close()` refuses what
 * is new, finishes what is in flight within `stopTimeoutMs` and closes every connection.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const bounds: Bounds = { ...DEFAULT_BOUNDS, ...options.bounds };
  const gate = createGate(bounds.maxAsks);
  const metrics = createHttpMetrics(options.metrics, gate.inFlight);
  const nextId = createRequestIds(options.clock);
  const { log } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const refusals = new WeakMap<Duplex, RawAnswer>();
  const refused = (answer: RawAnswer, socket: Duplex): void => {
    const { error, requestId } = answer;
    refusals.set(socket, answer);
    metrics.answered("none", error.status, 0, 0);
    log.info({ request_id: requestId, status: error.status, code: error.code, why: error.message }, "refused");
  };
  const serverFactory = (handler: RequestListener): Server =>
    createListener(handler, { bounds, publicUrl, nextId: () => nextId(undefined), refused });
  const app = fastify({
    serverFactory,
    logger: false,
    genReqId: nextId,
    requestIdHeader: false,
    trustProxy: options.trustedProxies?.length ? [...options.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (_error, request, reply) => {
      reply.hijack();
      const error = new CallerError("NOT_FOUND", "The path is not a valid one.");
      const answer: RawAnswer = { error, requestId: request.id, publicUrl };
      refused(answer, request.raw.socket);
      answerRaw(request.raw.socket, answer);
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _payload, done) => done(null));
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, publicUrl));
  const stopping = addStopping(app, bounds.stopTimeoutMs);
  addFinishing(app, { access: options.access, metrics, log, refusals, hasCut: stopping.hasCut });
  const pages = createPages(options.pages);
  addMeeting(app, stopping.hasBegun, pages.instead);
  const nameOf = new Map(options.catalogue.map((dataset) => [dataset.agentId, dataset.name]));
  const { ask, access, clock, console } = options;
  const asking = { ask, access, gate, bounds, nameOf, clock };
  app.post(ENDPOINT, { onRequest: createAdmit(access) }, createRetrieve(asking));
  const { catalogue, operator } = options;
  if (console !== undefined) addConsoleRoutes(app, { ...asking, console, publicUrl, catalogue, operator });
  addHealthRoutes(app, { ...options, publicUrl }, stopping.hasBegun);
  addPlainRoutes(app, { ...options, publicUrl });
  pages.addRoutes(app);
  return app;
}
