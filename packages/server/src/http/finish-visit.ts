import type { FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import type { Access } from "../access/access.ts";
import type { HttpMetrics } from "./http-metrics.ts";

const MAX_PATH = 200;

export type FinishOptions = { readonly access: Access; readonly metrics: HttpMetrics; readonly log: Logger };

/** After an answer: one log line, the metrics, the caller's usage. Nothing here can fail the request. */
export function createFinishVisit({
  access,
  metrics,
  log,
}: FinishOptions): (request: FastifyRequest, reply: FastifyReply) => void {
  return (request, reply) => {
    const { visit } = request;
    const status = reply.raw.statusCode;
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
      ...(reply.raw.writableFinished ? {} : { aborted: true }),
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
