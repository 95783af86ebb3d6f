import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { RawAnswer } from "./raw-answer.ts";

const MAX_PATH = 200;
/** As nginx calls a request whose caller went away before its answer. */
const WENT_AWAY = 499;
const CUT = 503;

export type FinishOptions = {
  readonly access: Access;
  readonly metrics: HttpMetrics;
  readonly log: Logger;
  /** What connections were answered beside their request, because its bytes were not HTTP or did not come in time. */
  readonly refusals: WeakMap<Duplex, RawAnswer>;
  /** Whether the service, which stops, cut what was in flight. */
  readonly hasCut: () => boolean;
};

/**
 * After an answer, and when a connection ends before it: one log line, the metrics, the caller's usage. Nothing here
 * can fail the request.
 */
export function addFinishing(app: FastifyInstance, options: FinishOptions): void {
  const finish = createFinish(options);
  app.addHook("onRequest", (request, reply, done) => {
    // Fastify tells of answers alone: of one that was never sent whole nothing but this is heard.
    reply.raw.once("close", () => finish(request, reply, true));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    finish(request, reply, false);
    done();
  });
}

function createFinish({ access, metrics, log, refusals, hasCut }: FinishOptions) {
  // The fields of a line are named here and none holds a credential: looking for one in each line took most of its time.
  const lines = log.child({}, { redact: [] });
  return (request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void => {
    const { visit } = request;
    if (visit.isFinished) return;
    visit.isFinished = true;
    const isUnanswered = isAborted && !reply.raw.headersSent;
    const refusal = isUnanswered ? refusals.get(request.raw.socket) : undefined;
    const ended = refusal?.error.status ?? (hasCut() ? CUT : WENT_AWAY);
    const status = isUnanswered ? ended : reply.raw.statusCode;
    const milliseconds = Math.max(0, reply.elapsedTime - visit.heldMs);
    if (visit.caller !== undefined) {
      access.count({
        keyId: visit.caller.keyId,
        agentId: visit.dataset === "none" ? 0 : (visit.agentId ?? 0),
        status,
        rows: visit.rows,
        bytes: visit.bytes,
        ms: milliseconds,
      });
    }
    // The metrics and the log were told of it when it was given.
    if (refusal !== undefined) return;
    metrics.answered(visit.dataset, status, milliseconds / 1000, visit.bytes);
    const line = {
      request_id: request.id,
      method: request.method,
      path: pathOf(request.url),
      status,
      ms: Math.round(milliseconds * 1000) / 1000,
      bytes: visit.bytes,
      rows: visit.rows,
      ...(visit.caller === undefined ? {} : { key: visit.caller.prefix }),
      ...(visit.user === undefined ? {} : { user: visit.user }),
      ...(visit.agentId === undefined ? {} : { agent_id: visit.agentId }),
      ...(visit.code === undefined ? {} : { code: visit.code }),
      ...(isAborted ? { aborted: true } : {}),
    };
    if (visit.cause === undefined) lines.info(line, "request");
    else log.error({ ...line, err: visit.cause }, "request");
  };
}

/** Of a URL what may be logged: no query, and no key that somebody put into the path by mistake. */
function pathOf(url: string): string {
  const path = url.slice(0, MAX_PATH).split("?", 1)[0] ?? "";
  return path.replace(/(alm_live_[a-z2-7]{0,6})[a-z2-7_]*/gi, "$1…");
}
