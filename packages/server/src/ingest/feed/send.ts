import { fetch, type Dispatcher } from "undici";
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
  readonly mostBytes: number;
  readonly signal: AbortSignal;
};

export type Sent = {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: Body;
};

const HEADERS = { accept: "application/json", "user-agent": "almanac/0.1 (self-hosted market data)" };

/** One attempt. The only place that calls out by HTTP. Throws UpstreamUnreachable, or the signal's reason. */
export async function send(sending: Sending): Promise<Sent> {
  const deadline = AbortSignal.timeout(sending.timeoutMs);
  try {
    const response = await fetch(sending.url, {
      method: sending.method,
      dispatcher: sending.dispatcher,
      redirect: "manual",
      signal: AbortSignal.any([sending.signal, deadline]),
      ...(sending.body === undefined
        ? { headers: { ...HEADERS, ...sending.headers } }
        : {
            headers: { ...HEADERS, ...sending.headers, "content-type": "application/json" },
            body: JSON.stringify(sending.body),
          }),
    });
    const body = await readBody(response.body, sending.mostBytes);
    return { status: response.status, header: (name) => response.headers.get(name), body };
  } catch (error) {
    if (sending.signal.aborted) throw sending.signal.reason;
    const why = deadline.aborted ? `nothing whole within ${sending.timeoutMs} ms` : causeText(error);
    throw new UpstreamUnreachable(sending.host, sending.path, why, error);
  }
}

function causeText(error: unknown): string {
  if (!(error instanceof Error)) return "it failed";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
