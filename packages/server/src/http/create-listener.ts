import { createServer, type RequestListener, type Server } from "node:http";
import { CallerError } from "../definition/errors.ts";
import type { Bounds } from "./bounds.ts";
import { answerRaw, malformedHttp, type RawAnswer } from "./raw-answer.ts";

export type ListenerOptions = {
  readonly bounds: Bounds;
  readonly publicUrl: string;
  readonly nextId: () => string;
  /** Told of every answer that was given without a request. */
  readonly refused: (answer: RawAnswer) => void;
};

/** Node's HTTP server with our bounds, and with the error shape also for what its parser refuses. */
export function createListener(handler: RequestListener, options: ListenerOptions): Server {
  const { bounds, publicUrl } = options;
  const refuse = (error: CallerError): RawAnswer => {
    const answer: RawAnswer = { error, requestId: options.nextId(), publicUrl };
    options.refused(answer);
    return answer;
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
      const error = new CallerError("INVALID_REQUEST", "The request has no Host header.");
      return answerRaw(request.socket, refuse(error));
    }
    return handler(request, response);
  });
  server.on("checkExpectation", (request) => {
    const error = new CallerError("INVALID_REQUEST", "Expect asks for something other than 100-continue.");
    answerRaw(request.socket, refuse(error));
  });
  server.on("connect", (_request, socket) => {
    answerRaw(socket, refuse(new CallerError("METHOD_NOT_ALLOWED", "CONNECT is not answered here.")));
  });
  server.on("clientError", (error, socket) => {
    if ("code" in error && error.code === "ECONNRESET") return void socket.destroy();
    return answerRaw(socket, refuse(malformedHttp(error)));
  });
  return server;
}
