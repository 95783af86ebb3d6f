import { request, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { CallerError } from "../definition/errors.ts";
import type { ListenerOptions } from "./create-listener.ts";
import { answerRaw, type RawAnswer } from "./error-answers.ts";

/**
 * The socket of another process of the service, and the secret by which it recognises requests forwarded by one of its
 * own.
 */
export type ForwardTarget = { readonly socketPath: string; readonly secret: string };

const PEER = "x-almanac-peer";
/** Hop-by-hop headers (RFC 9110, 7.6.1), which are not forwarded. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "upgrade",
  "expect",
  PEER,
]);
/**
 * Never dropped, whatever `Connection` says: without them the body would be framed differently, or the caller unknown.
 */
const OF_THE_REQUEST: ReadonlySet<string> = new Set(["authorization", "content-length", "host", "transfer-encoding"]);

/** Forwards every request that is not a POST to the path, including paths in absolute or another spelling. */
export function forwarding(
  to: ForwardTarget,
  path: string,
  own: RequestListener,
  { publicUrl, nextId, refused }: Pick<ListenerOptions, "publicUrl" | "nextId" | "refused">,
): RequestListener {
  return (requested, response) => {
    if (requested.method === "POST" && requested.url?.split("?", 1)[0] === path) return own(requested, response);
    forward(to, requested, response, (cause) => {
      const error = new CallerError("UNAVAILABLE", "This cannot be answered now; try again shortly.", {
        retryAfterSeconds: 1,
        cause,
      });
      const answer: RawAnswer = { error, requestId: nextId(), publicUrl };
      refused(answer, requested.socket);
      answerRaw(requested.socket, answer);
    });
  };
}

function forward(
  { socketPath, secret }: ForwardTarget,
  requested: IncomingMessage,
  response: ServerResponse,
  failed: (cause: Error) => void,
): void {
  const { method = "GET", url: path = "/", rawHeaders, headers, socket } = requested;
  const host = headers.host === undefined ? ["host", ""] : [];
  const sent = [
    ...kept(rawHeaders),
    ...host,
    PEER,
    `${secret} ${socket.remoteAddress ?? ""}`,
    "connection",
    "keep-alive",
  ];
  // One connection per request: a kept-alive one may be closed just as it is reused. This side closes it, since an
  // owner that answers and closes before the request is fully written would lose the answer with EPIPE.
  const forwarded = request({ socketPath, method, path, headers: sent, agent: false });
  forwarded.on("response", (answer) => {
    // The owner leaves the rest of the body unread, so nothing after it on the client's connection could be read.
    if (answer.headers.connection === "close") response.shouldKeepAlive = false;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders, "transfer-encoding"));
    pipeline(answer, response, () => undefined);
  });
  forwarded.on("error", (cause) => (response.headersSent || socket.destroyed ? response.destroy() : failed(cause)));
  response.on("close", () => forwarded.destroy());
  // Else the headers wait for the first bytes of the body, and an early refusal with them.
  if (headers["content-length"] ?? headers["transfer-encoding"]) forwarded.flushHeaders();
  requested.pipe(forwarded);
}

/** Raw headers (alternating names and values) without the hop-by-hop ones, including those that `Connection` names. */
function kept(raw: readonly string[], alsoNot?: string): string[] {
  const nameAt = (at: number): string => (raw[at - (at % 2)] as string).toLowerCase();
  const named = raw.flatMap((value, at) =>
    at % 2 === 1 && nameAt(at) === "connection" ? value.toLowerCase().split(/[\s,]+/) : [],
  );
  const dropped = new Set(named.filter((name) => !OF_THE_REQUEST.has(name)));
  return raw.filter((_, at) => {
    const name = nameAt(at);
    return name !== alsoNot && !HOP_BY_HOP.has(name) && !dropped.has(name);
  });
}

/** For requests forwarded with the secret, takes the client's address from the forwarding process. */
export function trustingForwarded(secret: string, handler: RequestListener): RequestListener {
  return (requested, response) => {
    const given = requested.headers[PEER];
    delete requested.headers[PEER];
    if (typeof given === "string" && given.startsWith(`${secret} `)) {
      const value = given.slice(secret.length + 1);
      Object.defineProperty(requested.socket, "remoteAddress", { value, configurable: true });
    }
    return handler(requested, response);
  };
}
