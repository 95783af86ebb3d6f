import { describe, expect, it } from "vitest";
import { createConsole } from "../src/api/console.ts";
import type { SessionReply, SessionUser } from "../src/api/session-user.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

interface Opened {
  readonly sent: Sent[];
  /** Users of sessions that were fetched again; null for one that ended. */
  readonly renewed: (SessionUser | null)[];
  readonly api: ReturnType<typeof createConsole>;
}

function consoleThatGets(answer: (sent: Sent) => Response): Opened {
  const sent: Sent[] = [];
  const renewed: (SessionUser | null)[] = [];
  const api = createConsole(
    (url, init) => {
      const one = { url: String(url), init: init ?? {} };
      sent.push(one);
      return Promise.resolve(answer(one));
    },
    (user) => renewed.push(user),
  );
  return { sent, renewed, api };
}

const sessionOf = (id: string, csrf_token: string): SessionReply => ({
  user: { id, email: `${id}@a.test`, name: id, role: "member", account: { id: "acc_1", name: "A", plan: "free" } },
  csrf_token,
});

const refusalOf = (details?: readonly { path: string; problem: string }[]): Response =>
  Response.json({ error: { code: "FORBIDDEN", message: "No.", ...(details ? { details } : {}) } }, { status: 403 });

const headersOf = (sent: Sent | undefined): Headers => new Headers(sent?.init.headers);

describe("the console's API client", () => {
  it("sends the CSRF token with changes but not with reads", async () => {
    const { sent, api } = consoleThatGets(() => Response.json({}));
    api.keep(sessionOf("usr_1", "t0ken"));
    await api.get("/keys");
    await api.send("POST", "/keys", { name: "a" });
    expect(headersOf(sent[0]).has("x-csrf-token")).toBe(false);
    expect(headersOf(sent[1]).get("x-csrf-token")).toBe("t0ken");
    expect(sent[1]).toMatchObject({ url: "/api/console/keys", init: { method: "POST", body: '{"name":"a"}' } });
  });

  it("returns undefined for an answer without a body, and sends no body if none is given", async () => {
    const { sent, api } = consoleThatGets(() => new Response(null, { status: 204 }));
    expect(await api.send("DELETE", "/session")).toBeUndefined();
    expect(sent[0]?.init.body).toBeUndefined();
    expect(headersOf(sent[0]).has("content-type")).toBe(false);
  });

  it("reports a refusal with its code, fields, wait and request id", async () => {
    const { api } = consoleThatGets(() =>
      Response.json(
        {
          error: {
            code: "INVALID_REQUEST",
            message: "Name: too long.",
            request_id: "req_1",
            details: [{ path: "name", problem: "too long" }],
          },
        },
        { status: 400, headers: { "retry-after": "7" } },
      ),
    );
    const answer = await api.call("POST", "/keys", {});
    expect(answer).toMatchObject({
      ok: false,
      problem: { status: 400, code: "INVALID_REQUEST", requestId: "req_1", retryAfterSeconds: 7 },
    });
    expect(answer.ok ? undefined : answer.problem.of("name")).toBe("too long");
    expect(answer.ok ? undefined : answer.problem.of("expires_at")).toBeUndefined();
  });

  it("reports an error page that is not JSON by its status", async () => {
    const { api } = consoleThatGets(() => new Response("<html>", { status: 502 }));
    expect(await api.call("GET", "/keys")).toMatchObject({ ok: false, problem: { status: 502, code: "UNEXPECTED" } });
  });

  it("returns a CSV file unchanged, and throws the refusal of one", async () => {
    const { sent, api } = consoleThatGets(({ url }) =>
      url.endsWith("?by=day") ? new Response("day\r\n") : refusalOf(),
    );
    expect(await (await api.csv("/usage.csv?by=day")).text()).toBe("day\r\n");
    expect(headersOf(sent[0]).get("accept")).toContain("text/csv");
    await expect(api.csv("/usage.csv")).rejects.toMatchObject({ status: 403, message: "No." });
  });

  it("reports that the service was not reached, and passes an abort through", async () => {
    const api = createConsole(
      () => Promise.reject(new TypeError("fetch failed")),
      () => undefined,
    );
    expect(await api.call("GET", "/keys")).toMatchObject({ ok: false, problem: { status: 0, code: "UNREACHED" } });
    await expect(api.call("GET", "/keys", undefined, AbortSignal.abort())).rejects.toThrow("fetch failed");
  });
});

/** A service for which the browser's cookie belongs to this session. */
const serviceOf =
  (now: SessionReply) =>
  (sent: Sent): Response => {
    if (sent.url.endsWith("/session")) return Response.json(now);
    if (headersOf(sent).get("x-csrf-token") === now.csrf_token) return Response.json({ isDone: true });
    return refusalOf([{ path: "x-csrf-token", problem: "not of this session" }]);
  };
const pathsOf = (sent: readonly Sent[]): string[] => sent.map(({ url }) => url.replace("/api/console", ""));

describe("if another tab has signed in, the console's API client", () => {
  it("fetches the new token once for all refused requests, and sends them again", async () => {
    const now = sessionOf("usr_1", "new");
    const { sent, renewed, api } = consoleThatGets(serviceOf(now));
    api.keep(sessionOf("usr_1", "old"));
    const [renamed, requested] = await Promise.all([
      api.send("POST", "/keys/key_1/name", { name: "a" }),
      api.ask("{}", new AbortController().signal),
    ]);
    expect(renamed).toEqual({ isDone: true });
    expect(requested.status).toBe(200);
    expect(pathsOf(sent).filter((path) => path === "/session")).toHaveLength(1);
    expect(renewed).toEqual([now.user]);
    await api.send("POST", "/keys", {});
    expect(pathsOf(sent).slice(-1)).toEqual(["/keys"]);
    expect(sent.at(-1)?.init.body).toBe("{}");
  });

  it("shows the other user, and sends no change in that user's name", async () => {
    const now = sessionOf("usr_2", "new");
    const { sent, renewed, api } = consoleThatGets(serviceOf(now));
    api.keep(sessionOf("usr_1", "old"));
    expect(await api.call("POST", "/keys", {})).toMatchObject({ ok: false, problem: { status: 403 } });
    expect(pathsOf(sent)).toEqual(["/keys", "/session"]);
    expect(renewed).toEqual([now.user]);
  });

  it("reports any other refusal unchanged, and one that persists", async () => {
    const ofPlan = consoleThatGets(() => refusalOf());
    ofPlan.api.keep(sessionOf("usr_1", "same"));
    expect((await ofPlan.api.ask("{}", new AbortController().signal)).status).toBe(403);
    expect(pathsOf(ofPlan.sent)).toEqual(["/ask"]);
    const staying = consoleThatGets(({ url }) =>
      url.endsWith("/session")
        ? Response.json(sessionOf("usr_1", "same"))
        : refusalOf([{ path: "x-csrf-token", problem: "not of this session" }]),
    );
    staying.api.keep(sessionOf("usr_1", "same"));
    expect(await staying.api.call("POST", "/keys", {})).toMatchObject({ ok: false, problem: { message: "No." } });
    expect(pathsOf(staying.sent)).toEqual(["/keys", "/session"]);
  });
});

const ended = (): Response => Response.json({ error: { code: "UNAUTHORIZED", message: "No." } }, { status: 401 });

describe("when the session has ended, the console's API client", () => {
  it("says so, whatever was asked, and returns the answer", async () => {
    const { renewed, api } = consoleThatGets(ended);
    api.keep(sessionOf("usr_1", "old"));
    expect(await api.call("GET", "/keys")).toMatchObject({ ok: false, problem: { status: 401 } });
    expect((await api.ask("{}", new AbortController().signal)).status).toBe(401);
    expect(renewed).toEqual([null, null]);
  });

  it("does not end a session that began while the answer was awaited", async () => {
    const late = Promise.withResolvers<Response>();
    const renewed: (SessionUser | null)[] = [];
    const api = createConsole(
      () => late.promise,
      (user) => renewed.push(user),
    );
    api.keep(sessionOf("usr_1", "old"));
    const answer = api.call("GET", "/keys");
    api.keep(sessionOf("usr_1", "new"));
    late.resolve(ended());
    expect(await answer).toMatchObject({ ok: false, problem: { status: 401 } });
    expect(renewed).toEqual([]);
  });
});
