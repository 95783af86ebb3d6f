import { describe, expect, it } from "vitest";
import { createConsole } from "../src/api/console-fetch.ts";

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
}

function consoleThatGets(answer: () => Response): { sent: Sent[]; api: ReturnType<typeof createConsole> } {
  const sent: Sent[] = [];
  const api = createConsole((url, init) => {
    sent.push({ url: String(url), init: init ?? {} });
    return Promise.resolve(answer());
  });
  return { sent, api };
}

const headersOf = (sent: Sent | undefined): Headers => new Headers(sent?.init.headers);

describe("the console's way to the service", () => {
  it("sends the token with changes and not with reads", async () => {
    const { sent, api } = consoleThatGets(() => Response.json({}));
    api.keepToken("t0ken");
    await api.get("/keys");
    await api.send("POST", "/keys", { name: "a" });
    expect(headersOf(sent[0]).has("x-csrf-token")).toBe(false);
    expect(headersOf(sent[1]).get("x-csrf-token")).toBe("t0ken");
    expect(sent[1]).toMatchObject({ url: "/api/console/keys", init: { method: "POST", body: '{"name":"a"}' } });
  });

  it("gives an answer without a body as undefined, and sends no body nobody gave", async () => {
    const { sent, api } = consoleThatGets(() => new Response(null, { status: 204 }));
    expect(await api.send("DELETE", "/session")).toBeUndefined();
    expect(sent[0]?.init.body).toBeUndefined();
    expect(headersOf(sent[0]).has("content-type")).toBe(false);
  });

  it("tells a refusal by its code, fields, wait and request", async () => {
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

  it("tells an error page that is not JSON by its status", async () => {
    const { api } = consoleThatGets(() => new Response("<html>", { status: 502 }));
    expect(await api.call("GET", "/keys")).toMatchObject({ ok: false, problem: { status: 502, code: "UNEXPECTED" } });
  });

  it("tells that the service was not reached, and lets an abort through", async () => {
    const api = createConsole(() => Promise.reject(new TypeError("fetch failed")));
    expect(await api.call("GET", "/keys")).toMatchObject({ ok: false, problem: { status: 0, code: "UNREACHED" } });
    await expect(api.call("GET", "/keys", undefined, AbortSignal.abort())).rejects.toThrow("fetch failed");
  });
});
