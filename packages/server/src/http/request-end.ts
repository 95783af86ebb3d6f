import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { HttpMetrics } from "./http-metrics.ts";
import type { RawAnswer } from "./error-answers.ts";

const MAX_PATH = 200;
/** nginx's status for a request whose client disconnected before the answer. */
const WENT_AWAY = 499;
const CUT = 503;

export type FinishOptions = {
  readonly access: Access;
  readonly metrics: HttpMetrics;
  readonly log: Logger;
  /** Raw answers by connection, sent outside its request because the bytes were not HTTP or arrived too late. */
  readonly refusals: WeakMap<Duplex, RawAnswer>;
  /** Whether the stopping service cut what was in flight. */
  readonly hasCut: () => boolean;
};

/**
 * After an answer, or a connection that ends before it: writes one log line, the metrics and the caller's usage.
 * Nothing here can fail the request.
 */
export function addRequestEnd(app: FastifyInstance, options: FinishOptions): void {
  const finish = createFinish(options);
  app.addHook("onRequest", (request, reply, done) => {
    // Fastify reports complete answers only; this event also covers those that were never sent completely.
    reply.raw.once("close", () => finish(request, reply, true));
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    finish(request, reply, false);
    done();
  });
}

function createFinish({ access, metrics, log, refusals, hasCut }: FinishOptions) {
  // The logged fields are listed here and none holds a credential; redaction took most of the time per line.
  const lines = log.child({}, { redact: [] });
  return (request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void => {
    const { state } = request;
    if (state.isFinished) return;
    state.isFinished = true;
    const isUnanswered = isAborted && !reply.raw.headersSent;
    const refusal = isUnanswered ? refusals.get(request.raw.socket) : undefined;
    const ended = refusal?.error.status ?? (hasCut() ? CUT : WENT_AWAY);
    const status = isUnanswered ? ended : reply.raw.statusCode;
    const milliseconds = Math.max(0, reply.elapsedTime - state.heldMs);
    if (state.caller !== undefined) {
      access.count({
        keyId: state.caller.keyId,
        agentId: state.dataset === "none" ? 0 : (state.agentId ?? 0),
        status,
        rows: state.rows,
        bytes: state.bytes,
        ms: milliseconds,
      });
    }
    // Metrics and log recorded the refusal when it was sent.
    if (refusal !== undefined) return;
    metrics.answered(state.dataset, status, milliseconds / 1000, state.bytes);
    const line = {
      request_id: request.id,
      method: request.method,
      path: pathOf(request.url),
      status,
      ms: Math.round(milliseconds * 1000) / 1000,
      bytes: state.bytes,
      rows: state.rows,
      ...(state.caller === undefined ? {} : { key: state.caller.prefix }),
      ...(state.user === undefined ? {} : { user: state.user }),
      ...(state.agentId === undefined ? {} : { agent_id: state.agentId }),
      ...(state.code === undefined ? {} : { code: state.code }),
      ...(isAborted ? { aborted: true } : {}),
    };
    if (state.cause === undefined) lines.info(line, "request");
    else log.error({ ...line, err: state.cause }, "request");
  };
}

/** The part of a URL that may be logged: no query, and no key put into the path by mistake. */
function pathOf(url: string): string {
  const path = url.slice(0, MAX_PATH).split("?", 1)[0] ?? "";
  return path.replace(/(alm_live_[a-z2-7]{0,6})[a-z2-7_]*/gi, "$1…");
}
