import { AlmanacError, readError } from "./almanac-error.ts";
import { rateOf } from "./read-answer.ts";

/** Options for sending requests: retries and timeouts. */
export type SendOptions = {
  /** Number of retries after 429, 500 or 503. Default 2, so three attempts in all; 0 for none. */
  readonly retries?: number;
  /** Longest wait before a retry; if it would be longer, the error is thrown immediately. Default 120. */
  readonly maxWaitSeconds?: number;
  /** Timeout of one response. Default 60 seconds. */
  readonly timeoutMs?: number;
  /** Replaces the wait: resolves after `seconds`; rejects when the signal is aborted. */
  readonly wait?: (seconds: number, signal?: AbortSignal) => Promise<void>;
};

const RETRIED: ReadonlySet<number> = new Set([429, 500, 503]);

export type Send = <T>(
  body: string,
  signal: AbortSignal | undefined,
  read: (from: Response) => Promise<T>,
) => Promise<T>;

/**
 * Sends a body and reads the successful response. Only 429, 500 and 503 are retried: 429 after Retry-After, the others
 * after 2^attempt seconds (1, 2) or Retry-After if longer; all other errors fail immediately. After a response that
 * leaves no request, the next one waits for its reset. Throws AlmanacError, or the signal's reason.
 */
export function createSend(transport: Transport, options: SendOptions = {}): Send {
  const { retries = 2, maxWaitSeconds = 120, timeoutMs = 60_000, wait: pause = wait } = options;
  let freeAt = 0;
  const noting: Transport = async (body, signal) => {
    const response = await transport(body, signal);
    const rate = rateOf(response.headers);
    if (rate !== undefined) freeAt = rate.remaining > 0 ? 0 : performance.now() + rate.resetSeconds * 1000;
    return response;
  };
  return async (body, signal, read) => {
    const early = (freeAt - performance.now()) / 1000;
    if (early > 0 && early <= maxWaitSeconds) await pause(early, signal);
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await once(noting, { body, signal, timeoutMs, read });
      if (outcome.ok) return outcome.value;
      const { error } = outcome;
      if (!RETRIED.has(error.status) || attempt >= retries) throw error;
      const seconds = secondsToWait(error, attempt);
      if (seconds > maxWaitSeconds) throw error;
      await pause(seconds, signal);
    }
  };
}

/** Retry-After of a 429 is exact; after other errors the recovery time is unknown, so the backoff is the minimum. */
function secondsToWait({ status, retryAfterSeconds }: AlmanacError, attempt: number): number {
  if (status === 429 && retryAfterSeconds !== undefined) return retryAfterSeconds;
  return Math.max(2 ** attempt, retryAfterSeconds ?? 0);
}

type Sending<T> = {
  readonly body: string;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly read: (from: Response) => Promise<T>;
};
type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: AlmanacError };

async function once<T>(transport: Transport, { body, signal, timeoutMs, read }: Sending<T>): Promise<Outcome<T>> {
  signal?.throwIfAborted();
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    const response = await transport(body, signal ? AbortSignal.any([signal, patience]) : patience);
    if (response.ok) return { ok: true, value: await read(response) };
    const error = await readError(response, Date.now());
    signal?.throwIfAborted();
    return { ok: false, error };
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof AlmanacError) throw cause;
    if (patience.aborted) {
      throw new AlmanacError(`No answer within ${timeoutMs} ms.`, { status: 0, code: "TIMEOUT", cause });
    }
    throw new AlmanacError(`The service could not be reached, or its answer broke off: ${reasonOf(cause)}.`, {
      status: 0,
      code: "UNREACHABLE",
      cause,
    });
  }
}

/** The innermost cause's message: fetch's own is only "fetch failed". */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner: unknown = error.cause ?? (error instanceof AggregateError ? error.errors[0] : undefined);
  return inner === undefined ? error.message : reasonOf(inner);
}

const PATH = "/api/v2/semantic/retrieve/parameterized";

/** Sends one request body to the service. Rejects only if there was no response. */
export type Transport = (body: string, signal: AbortSignal) => Promise<Response>;

/** Creates a transport to the service's endpoint, with an API key. */
export function keyTransport(baseUrl: string, key: string, fetchIt: typeof fetch): Transport {
  const url = baseUrl.replace(/\/+$/, "") + PATH;
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  return (body, signal) => fetchIt(url, { method: "POST", headers, body, signal, redirect: "error" });
}

/** Resolves after `seconds`; rejects with the signal's reason when it is aborted before. */
export function wait(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
