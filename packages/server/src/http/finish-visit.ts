import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { HttpMetrics } from "./http-metrics.ts";

const MAX_PATH = 200;
/** As nginx calls a request whose caller went away before its answer. */
const WENT_AWAY = 499;

export type FinishOptions = { readonly access: Access; readonly metrics: HttpMetrics; readonly log: Logger };

/**
 * After an answer, and when a caller goes away before it: one log line, the metrics, the caller's usage. Nothing here
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

function createFinish({ access, metrics, log }: FinishOptions) {
  return (request: FastifyRequest, reply: FastifyReply, isAborted: boolean): void => {
    const { visit } = request;
    if (visit.isFinished) return;
    visit.isFinished = true;
    const status = isAborted && !reply.raw.headersSent ? WENT_AWAY : reply.raw.statusCode;
    const milliseconds = reply.elapsedTime;
    metrics.answered(visit.dataset, status, milliseconds / 1000, visit.bytes);
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
    if (visit.cause === undefined) log.info(line, "request");
    else log.error({ ...line, err: visit.cause }, "request");
  };
}

/** Of a URL what may be logged: no query, and no key that somebody put into the path by mistake. */
function pathOf(url: string): string {
  const path = url.slice(0, MAX_PATH).split("?", 1)[0] ?? "";
  return path.replace(/(alm_live_[a-z2-7]{0,6})[a-z2-7_]*/gi, "$1…");
}
