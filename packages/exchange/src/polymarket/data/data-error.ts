import { createHash } from "node:crypto";
import type { FastifyReply } from "fastify";

/** Codes of v2 errors and the HTTP status of each. */
const statuses = {
  invalid_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  request_timeout: 503,
  internal: 500,
} as const;

/** A Data API v2 error: what is wrong and with which parameter ("" for none). */
export interface Refusal {
  code: keyof typeof statuses;
  error: string;
  parameter: string;
}

/** Responds in the v2 error shape: `{error, code, parameter, retryable, trace_id}` and an `x-trace-id` header. */
export function refuseData(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const trace_id = createHash("sha1").update(reply.request.url).digest("hex").slice(0, 32);
  const retryable = refusal.code === "rate_limited" || refusal.code === "request_timeout";
  return reply
    .code(statuses[refusal.code])
    .header("x-trace-id", trace_id)
    .send({ ...refusal, retryable, trace_id });
}

/** Returns the usual error: an invalid parameter. */
export function invalid(parameter: string, error: string): Refusal {
  return { code: "invalid_request", error, parameter };
}
