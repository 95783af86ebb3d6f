import type { SessionReply, SessionUser } from "./session-user.ts";

interface Sending {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below /api/console. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Sends requests with the kept session: its CSRF token goes with every change. */
export interface SessionFetch {
  /** Rejects if no response arrived. */
  send(sending: Sending): Promise<Response>;
  /** undefined: no user is signed in. */
  keep(session: SessionReply | undefined): void;
}

const TOKEN_HEADER = "x-csrf-token";

/** The service marks its refusal of a token that does not belong to the browser's session. */
async function isOfAnotherSession(response: Response): Promise<boolean> {
  if (response.status !== 403) return false;
  const reported: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const { error } = (reported ?? {}) as { error?: { details?: readonly { path: string }[] } };
  return error?.details?.some(({ path }) => path === TOKEN_HEADER) === true;
}

/**
 * All tabs share one cookie: when another tab has signed in, its session is read once and kept. A refused change is
 * sent again with the new token, unless the session is another user's now. `onUser` is called with the new user, and
 * with null when the session has ended.
 */
export function createSessionFetch(fetchFrom: typeof fetch, onUser: (user: SessionUser | null) => void): SessionFetch {
  let session: SessionReply | undefined;
  let renewing: Promise<void> | undefined;

  const sendOnce = ({ path, headers, ...init }: Sending): Promise<Response> => {
    const token = init.method === "GET" ? undefined : session?.csrf_token;
    return fetchFrom(`/api/console${path}`, {
      ...init,
      headers: token === undefined ? headers : { ...headers, [TOKEN_HEADER]: token },
      credentials: "same-origin",
    });
  };
  const readSession = async (): Promise<void> => {
    try {
      const response = await sendOnce({ method: "GET", path: "/session", headers: { accept: "application/json" } });
      if (!response.ok) return;
      session = (await response.json()) as SessionReply;
      onUser(session.user);
    } catch {
      // The caller still gets the original refusal.
    }
  };
  const renew = (): Promise<void> => {
    renewing ??= readSession().finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  return {
    send: async (sending) => {
      const sent = session;
      const response = await sendOnce(sending);
      // The answer to a request of a former session says nothing about this one.
      if (response.status === 401 && session?.csrf_token === sent?.csrf_token) onUser(null);
      if (!(await isOfAnotherSession(response))) return response;
      await renew();
      const isSameUser = session?.user.id === sent?.user.id;
      return isSameUser && session?.csrf_token !== sent?.csrf_token ? await sendOnce(sending) : response;
    },
    keep: (next) => {
      session = next;
    },
  };
}
