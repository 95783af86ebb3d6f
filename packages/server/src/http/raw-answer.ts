import type { Duplex } from "node:stream";
import { STATUS_CODES } from "node:http";
import { CallerError } from "../definition/errors.ts";
import { errorBody } from "./error-body.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

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
