import type { KeyMode } from "../definition/vocabulary.ts";
import { CallerError, type ErrorDetail } from "../definition/errors.ts";
import type { Caller } from "../access/caller.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DEFAULT_BOUNDS } from "./bounds.ts";
import { isRecordsAway } from "../access/access-error.ts";
import type { Duplex } from "node:stream";
import { STATUS_CODES } from "node:http";
import { SECURITY_HEADERS } from "./security-headers.ts";

const MAX_DETAILS = 50;

/** The path of the page that explains an error. */
export const errorPath = (code: string): string => `/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`;

/**
 * The JSON of a failure: code, message, request id, details if any, and the page that explains it; for a key in
 * compatible mode also a status.
 */
export function errorBody(error: CallerError, requestId: string, publicUrl: string, mode: KeyMode = "strict"): Buffer {
  const details: readonly ErrorDetail[] = error.details.slice(0, MAX_DETAILS);
  return Buffer.from(
    JSON.stringify({
      ...(mode === "compatible" ? { status: "error" } : {}),
      error: {
        code: error.code,
        message: error.message,
        request_id: requestId,
        ...(details.length > 0 ? { details } : {}),
        docs: `${publicUrl}${errorPath(error.code)}`,
      },
    }),
  );
}

/** The mode of the caller's key; strict if none is known yet. */
export const modeOf = (caller: Pick<Caller, "mode"> | undefined): KeyMode => caller?.mode ?? "strict";

const DEFAULT_WAIT_SECONDS = 1;

/** A wait in whole seconds, as headers and messages give it. */
export const wholeSeconds = (seconds: number): number => Math.max(1, Math.ceil(seconds));

/** The Retry-After header of a 429 or 503; none for other errors. */
const retryAfter = ({ status, retryAfterSeconds = DEFAULT_WAIT_SECONDS }: CallerError): Record<string, string> =>
  status === 503 || status === 429 ? { "retry-after": String(wholeSeconds(retryAfterSeconds)) } : {};

/** Sends anything thrown in the error shape; the cause is kept on the state for the log. */
export function answerError(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): FastifyReply {
  const shown = toCallerError(error);
  const body = errorBody(shown, request.id, publicUrl, modeOf(request.state.caller));
  request.state.code = shown.code;
  request.state.cause ??= shown.cause;
  request.state.bytes = body.length;
  reply
    .code(shown.status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store");
  if (shown.code === "UNAUTHENTICATED") reply.header("www-authenticate", 'Bearer realm="almanac"');
  reply.headers(retryAfter(shown));
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

export type RawAnswer = { readonly error: CallerError; readonly requestId: string; readonly publicUrl: string };

/** Answers on a bare socket, for data that never became a request, and ends the connection. */
export function answerRaw(socket: Duplex, { error, requestId, publicUrl }: RawAnswer): void {
  if (socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body = errorBody(error, requestId, publicUrl);
  const headers: Readonly<Record<string, string>> = {
    ...SECURITY_HEADERS,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(body.length),
    "cache-control": "no-store",
    "x-request-id": requestId,
    connection: "close",
    ...retryAfter(error),
    ...(error.code === "METHOD_NOT_ALLOWED" ? { allow: "GET, HEAD, POST, OPTIONS" } : {}),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? "Error"}\r\n${lines.join("")}\r\n`);
  socket.end(body, () => socket.destroy());
}

/** The error for bytes that Node's HTTP parser refused, by its error code. */
export function malformedHttp(error: Error): CallerError {
  const code = "code" in error ? error.code : undefined;
  if (code === "HPE_HEADER_OVERFLOW") {
    return new CallerError("INVALID_REQUEST", "The request's line and headers are too large.", { cause: error });
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new CallerError("INVALID_REQUEST", "The request did not arrive in time.", { cause: error });
  }
  return new CallerError("INVALID_REQUEST", "The request is not valid HTTP.", { cause: error });
}
