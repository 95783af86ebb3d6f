import { createServer, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { CallerError } from "../definition/errors.ts";
import type { Bounds } from "./bounds.ts";
import { answerRaw, malformedHttp, type RawAnswer } from "./error-answers.ts";

export type ListenerOptions = {
  readonly bounds: Bounds;
  readonly publicUrl: string;
  readonly nextId: () => string;
  /** Called with each answer sent without a request, and its socket. */
  readonly refused: (answer: RawAnswer, socket: Duplex) => void;
};

/** Creates Node's HTTP server with our limits, and with the error shape also for requests its parser refuses. */
export function createListener(handler: RequestListener, options: ListenerOptions): Server {
  const { bounds, publicUrl } = options;
  const refuse = (socket: Duplex, error: CallerError): void => {
    const answer: RawAnswer = { error, requestId: options.nextId(), publicUrl };
    options.refused(answer, socket);
    answerRaw(socket, answer);
  };
  const server = createServer({
    maxHeaderSize: bounds.maxHeaderBytes,
    requestTimeout: bounds.requestTimeoutMs,
    headersTimeout: bounds.headersTimeoutMs,
    keepAliveTimeout: bounds.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    requireHostHeader: false,
    insecureHTTPParser: false,
    noDelay: true,
  });
  server.timeout = bounds.idleSocketTimeoutMs;
  server.maxRequestsPerSocket = bounds.maxRequestsPerSocket;
  server.maxConnections = bounds.maxConnections;
  server.on("request", (request, response) => {
    if (request.headers.host === undefined && request.httpVersion !== "1.0") {
      return refuse(request.socket, new CallerError("INVALID_REQUEST", "The request has no Host header."));
    }
    return handler(request, response);
  });
  server.on("checkExpectation", (request) => {
    const error = new CallerError("INVALID_REQUEST", "Expect is not 100-continue.");
    refuse(request.socket, error);
  });
  server.on("connect", (_request, socket) => {
    refuse(socket, new CallerError("METHOD_NOT_ALLOWED", "CONNECT is not supported."));
  });
  server.on("clientError", (error, socket) => {
    if ("code" in error && error.code === "ECONNRESET") return void socket.destroy();
    return refuse(socket, malformedHttp(error));
  });
  return server;
}
