import { request, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { CallerError } from "../definition/errors.ts";
import type { ListenerOptions } from "./create-listener.ts";
import { answerRaw, type RawAnswer } from "./raw-answer.ts";

/** Where another process of the service listens, and by what it knows that a request was passed on by one of its own. */
export type PassOn = { readonly socketPath: string; readonly secret: string };

const PEER = "x-almanac-peer";
/** What is about one connection alone is not passed on. */
const OF_A_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "te", "upgrade", "expect", PEER]);

/** Has what is not a POST to the path answered by another process; an absolute or oddly written path is one of these. */
export function passing(
  to: PassOn,
  path: string,
  own: RequestListener,
  { publicUrl, nextId, refused }: Pick<ListenerOptions, "publicUrl" | "nextId" | "refused">,
): RequestListener {
  return (asked, response) => {
    if (asked.method === "POST" && asked.url?.split("?", 1)[0] === path) return own(asked, response);
    passOn(to, asked, response, (cause) => {
      const error = new CallerError("UNAVAILABLE", "This cannot be answered now; try again shortly.", {
        retryAfterSeconds: 1,
        cause,
      });
      const answer: RawAnswer = { error, requestId: nextId(), publicUrl };
      refused(answer, asked.socket);
      answerRaw(asked.socket, answer);
    });
  };
}

function passOn(
  { socketPath, secret }: PassOn,
  asked: IncomingMessage,
  response: ServerResponse,
  failed: (cause: Error) => void,
): void {
  const { method = "GET", url: path = "/", rawHeaders, headers, socket } = asked;
  const host = headers.host === undefined ? ["host", ""] : [];
  const sent = [...kept(rawHeaders), ...host, PEER, `${secret} ${socket.remoteAddress ?? ""}`, "connection", "close"];
  // A connection each: one that is kept may be closed at the moment it is used again.
  const passed = request({ socketPath, method, path, headers: sent, agent: false });
  passed.on("response", (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.rawHeaders, "transfer-encoding"));
    pipeline(answer, response, () => undefined);
  });
  passed.on("error", (cause) => (response.headersSent || socket.destroyed ? response.destroy() : failed(cause)));
  response.on("close", () => passed.destroy());
  asked.pipe(passed);
}

/** Names and values by turns, without those of a connection. */
function kept(raw: readonly string[], alsoNot?: string): string[] {
  return raw.filter((_, at) => {
    const name = (raw[at - (at % 2)] as string).toLowerCase();
    return name !== alsoNot && !OF_A_CONNECTION.has(name);
  });
}

/** Takes the address that a request came from from those who pass it on with the secret. */
export function believing(secret: string, handler: RequestListener): RequestListener {
  return (asked, response) => {
    const told = asked.headers[PEER];
    delete asked.headers[PEER];
    if (typeof told === "string" && told.startsWith(`${secret} `)) {
      const value = told.slice(secret.length + 1);
      Object.defineProperty(asked.socket, "remoteAddress", { value, configurable: true });
    }
    return handler(asked, response);
  };
}
