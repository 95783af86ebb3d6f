import { type Dispatcher, interceptors, Pool } from "undici";
import { type Body, readBody } from "./read-body.ts";
import { UpstreamUnreachable } from "./upstream-errors.ts";

export type Sending = {
  readonly host: string;
  readonly path: string;
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
};

export type Sent = {
  readonly status: number;
  /** Takes the name in lower case. */
  readonly header: (name: string) => string | null;
  readonly body: Body;
};

const HEADERS = {
  accept: "application/json",
  "accept-encoding": "gzip, deflate, br",
  "user-agent": "almanac/0.1 (self-hosted market data)",
};

/** One attempt; the only place that makes HTTP calls. Throws UpstreamUnreachable, or the signal's reason. */
export async function send(sending: Sending): Promise<Sent> {
  const deadline = AbortSignal.timeout(sending.timeoutMs);
  try {
    const { pathname, search } = new URL(sending.url);
    const isEmpty = sending.body === undefined;
    const response = await sending.dispatcher.request({
      path: `${pathname}${search}`,
      method: sending.method,
      signal: AbortSignal.any([sending.signal, deadline]),
      headers: { ...HEADERS, ...sending.headers, ...(isEmpty ? {} : { "content-type": "application/json" }) },
      body: isEmpty ? null : JSON.stringify(sending.body),
    });
    const body = await readBody(response.body, sending.maxBytes);
    return { status: response.statusCode, header: (name) => textOf(response.headers[name]), body };
  } catch (error) {
    if (sending.signal.aborted) throw sending.signal.reason;
    const why = deadline.aborted ? `no complete answer within ${sending.timeoutMs} ms` : causeText(error);
    throw new UpstreamUnreachable(sending.host, sending.path, why, error);
  }
}

const textOf = (value: string | string[] | undefined): string | null =>
  (Array.isArray(value) ? value.join(", ") : value) ?? null;

function causeText(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  return error.cause instanceof Error ? error.cause.message : error.message;
}

const CONNECTIONS = 16;

/**
 * Connections for plain calls to a host; a websocket's host answers them on the same port. Bodies are decompressed,
 * including those of error responses.
 */
export function openPool(address: string): Dispatcher {
  const pool = new Pool(new URL(address).origin.replace(/^ws/, "http"), { connections: CONNECTIONS });
  return pool.compose(interceptors.decompress({ skipErrorResponses: false }));
}
