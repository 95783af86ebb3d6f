import type { FastifyReply, FastifyRequest } from "fastify";
import { DEFAULT_BOUNDS } from "./bounds.ts";
import { errorBody } from "./error-body.ts";
import { modeOf } from "./mode-of.ts";
import { isRecordsAway } from "../access/is-records-away.ts";
import { CallerError } from "../definition/errors.ts";

const DEFAULT_WAIT_SECONDS = 1;

/** Sends anything thrown in the error shape; the cause is kept on the visit for the log. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  const shown = toCallerError(error);
  const body = errorBody(shown, request.id, publicUrl, modeOf(request.visit.caller));
  request.visit.code = shown.code;
  request.visit.cause ??= shown.cause;
  request.visit.bytes = body.length;
  reply
    .code(shown.status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store");
  if (shown.code === "UNAUTHENTICATED") reply.header("www-authenticate", 'Bearer realm="almanac"');
  if (shown.status === 503 || shown.status === 429) {
    reply.header("retry-after", String(Math.max(1, Math.ceil(shown.retryAfterSeconds ?? DEFAULT_WAIT_SECONDS))));
  }
  const isHuge = Number(request.headers["content-length"] ?? 0) > DEFAULT_BOUNDS.maxDrainBytes;
  if (!request.raw.complete && (isHuge || shown.code === "BODY_TOO_LARGE")) reply.header("connection", "close");
  return reply.send(body);
}

/** The cause for the log only; undefined for errors that are the caller's own. */
export const causeOf = (error: unknown): unknown => toCallerError(error).cause;

/**
 * Maps anything thrown to the caller's error: a CallerError unchanged, UNAVAILABLE while the control records are down,
 * everything else INTERNAL; the cause is kept for the log.
 */
function toCallerError(error: unknown): CallerError {
  if (error instanceof CallerError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new CallerError("UNSUPPORTED_MEDIA_TYPE", "Content-Type is not a media type; send application/json.");
  }
  if (isRecordsAway(error)) {
    return new CallerError("UNAVAILABLE", "The control records cannot be used now; try again in a second.", {
      retryAfterSeconds: 1,
      cause: error,
    });
  }
  return new CallerError("INTERNAL", "Internal error; the operator can find it by the request_id.", {
    cause: error,
  });
}
