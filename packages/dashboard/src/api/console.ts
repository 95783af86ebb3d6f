import type { ErrorDetail } from "@almanac/client";
import { ConsoleProblem } from "./console-problem.ts";
import { createSessionFetch } from "./session-fetch.ts";
import type { SessionReply, SessionUser } from "./session-user.ts";
import { createContext, useContext } from "react";

export type Answer<T> =
  | { readonly ok: true; readonly data: T; readonly headers: Headers }
  | { readonly ok: false; readonly problem: ConsoleProblem };

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** HTTP access to the service for a signed-in user: paths are below /api/console, bodies are JSON. */
export interface Console {
  /** Never throws: a failure is a value. */
  call<T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>>;
  /** Throws a ConsoleProblem: for useQuery. */
  get<T>(path: string, signal?: AbortSignal): Promise<T>;
  /** Throws a ConsoleProblem: for useMutation. */
  send<T>(method: Exclude<Method, "GET">, path: string, body?: unknown): Promise<T>;
  /** The content of a CSV file. Throws a ConsoleProblem. */
  csv(path: string): Promise<Blob>;
  /** Sends a dataset query, for @almanac/client. Rejects if no response arrived. */
  ask(body: string, signal: AbortSignal): Promise<Response>;
  /** Sets the session that requests are sent with from now on; undefined: none. */
  keep(session: SessionReply | undefined): void;
}

const UNREACHED = "The service could not be reached. Check that it is running and that you are online, then try again.";
const UNREADABLE = "The service's response could not be read. Reload the page: the service may have been updated.";

function problemOf(response: Response, body: unknown): ConsoleProblem {
  const reported = (body as { error?: Partial<Record<string, unknown>> } | undefined)?.error ?? {};
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new ConsoleProblem({
    status: response.status,
    code: typeof reported["code"] === "string" ? reported["code"] : "UNEXPECTED",
    message:
      typeof reported["message"] === "string" ? reported["message"] : `The service returned status ${response.status}.`,
    details: Array.isArray(reported["details"]) ? (reported["details"] as ErrorDetail[]) : [],
    requestId: typeof reported["request_id"] === "string" ? reported["request_id"] : undefined,
    retryAfterSeconds: Number.isFinite(after) ? after : undefined,
  });
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
}

function dataOf<T>(answer: Answer<T>): T {
  if (!answer.ok) throw answer.problem;
  return answer.data;
}

/** `onUser`: called with the cookie's current user when another tab has signed in; with null: the session has ended. */
export function createConsole(fetchFrom: typeof fetch, onUser: (user: SessionUser | null) => void): Console {
  const { send, keep } = createSessionFetch(fetchFrom, onUser);

  const request = async <T>(
    sending: Parameters<typeof send>[0],
    read: (response: Response) => Promise<unknown>,
  ): Promise<Answer<T>> => {
    let response: Response;
    try {
      response = await send(sending);
    } catch (error) {
      if (sending.signal?.aborted === true) throw error;
      return { ok: false, problem: new ConsoleProblem({ status: 0, code: "UNREACHED", message: UNREACHED }) };
    }
    let body: unknown;
    try {
      body = await (response.ok ? read(response) : bodyOf(response));
    } catch {
      if (response.ok)
        return { ok: false, problem: new ConsoleProblem({ status: 502, code: "UNREADABLE", message: UNREADABLE }) };
    }
    if (!response.ok) return { ok: false, problem: problemOf(response, body) };
    return { ok: true, data: body as T, headers: response.headers };
  };
  const call = <T>(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer<T>> =>
    request(
      {
        method,
        path,
        headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      },
      bodyOf,
    );

  return {
    call,
    keep,
    ask: (body, signal) =>
      send({ method: "POST", path: "/ask", headers: { "content-type": "application/json" }, body, signal }),
    get: async <T>(path: string, signal?: AbortSignal) => dataOf(await call<T>("GET", path, undefined, signal)),
    send: async <T>(method: Exclude<Method, "GET">, path: string, body?: unknown) =>
      dataOf(await call<T>(method, path, body)),
    csv: async (path) =>
      dataOf(
        await request<Blob>({ method: "GET", path, headers: { accept: "text/csv, application/json" } }, (response) =>
          response.blob(),
        ),
      ),
  };
}

export const ConsoleContext = createContext<Console | undefined>(undefined);

export function useConsole(): Console {
  const found = useContext(ConsoleContext);
  if (found === undefined) throw new Error("useConsole is used outside of ConsoleContext");
  return found;
}
