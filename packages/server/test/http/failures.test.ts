import { afterEach, describe, expect, it } from "vitest";
import { CallerError } from "../../src/definition/errors.ts";
import { createMetricsServer } from "../../src/http/create-server.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { DatabaseError, RecordsError } from "../../src/records/records-error.ts";
import { answerOf, HEADERS, openApi, OTHER_TOKEN, post, TOKEN, type Api } from "./api.ts";
import { rawRequest } from "./raw-request.ts";

let api: Api;
afterEach(() => api.close());

const until = (isTrue: () => boolean): Promise<void> => expect.poll(isTrue).toBe(true);

describe("failure handling", () => {
  it("returns 500 INTERNAL without its cause, which is logged under the same id", async () => {
    api = await openApi(async () => {
      throw new Error("Code: 60. DB::Exception: SELECT secret FROM /var/lib/x");
    });
    const reply = await post(api, { agent_id: 574 });
    const text = await reply.text();
    expect(reply.status).toBe(500);
    expect(text).not.toMatch(/DB::|SELECT|secret|\/var/);
    const { error } = JSON.parse(text) as { error: Record<string, string> };
    expect(error["code"]).toBe("INTERNAL");
    expect(error["docs"]).toBe("https://almanac.example/docs/errors/internal");
    await until(() => api.lines.length > 0);
    const line = api.lines.find((one) => one["request_id"] === error["request_id"]);
    expect(JSON.stringify(line)).toContain("DB::Exception");
  });

  it.each([[undefined], ["a string"], [{ status: 418 }]])("returns 500 also if %j is thrown", async (thrown) => {
    api = await openApi(() => Promise.reject(thrown));
    expect((await post(api, { agent_id: 574 })).status).toBe(500);
  });

  it.each([
    [new RecordsError("busy", "busy for 10 s"), 503],
    [new RecordsError("unreachable", "nobody is there"), 503],
    [new DatabaseError("the disk is full", { code: "53100" }), 503],
    [new DatabaseError("cannot be reached any more", { code: "08006" }), 503],
    [new DatabaseError("terminating connection", { code: "57P01" }), 503],
    [new DatabaseError("canceling statement due to statement timeout", { code: "57014" }), 503],
    [new DatabaseError("terminating connection due to idle-in-transaction timeout", { code: "25P03" }), 503],
    [new DatabaseError("a rule is broken", { code: "23505" }), 500],
    [new RecordsError("lease_lost", "another has it"), 500],
  ])("maps the control records' error %s to %i", async (thrown, status) => {
    api = await openApi(() => Promise.reject(thrown));
    const reply = await post(api, { agent_id: 574 });
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([status, status === 503 ? "1" : null]);
    expect(await reply.text()).not.toContain(thrown.message);
  });

  it("returns a caller's error with its details and its wait", async () => {
    api = await openApi(async () => {
      throw new CallerError("UNAVAILABLE", "The store is down.", {
        retryAfterSeconds: 2.2,
        details: [{ path: "params.x", problem: "bad", expected: "a", got: "b" }],
        cause: new Error("ECONNREFUSED /tmp/socket"),
      });
    });
    const reply = await post(api, { agent_id: 574 });
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).toBe("3");
    const { error } = (await reply.json()) as { error: Record<string, unknown> };
    expect(error["details"]).toEqual([{ path: "params.x", problem: "bad", expected: "a", got: "b" }]);
    expect(JSON.stringify(error)).not.toContain("ECONNREFUSED");
  });

  it("returns QUERY_TIMEOUT for a query that takes too long", async () => {
    api = await openApi(() => new Promise(() => undefined), { bounds: { askTimeoutMs: 50 } });
    const reply = await post(api, { agent_id: 574 });
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ error: { code: "QUERY_TIMEOUT" } });
    expect(reply.headers.get("retry-after")).toBe("5");
  });

  it("sheds requests beyond the bound and recovers", async () => {
    const held: (() => void)[] = [];
    api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))), {
      bounds: { maxAsks: 2 },
    });
    const first = [post(api, { agent_id: 574 }), post(api, { agent_id: 574 })];
    await until(() => held.length === 2);
    const shed = await post(api, { agent_id: 574 });
    expect(shed.status).toBe(503);
    expect(shed.headers.get("retry-after")).toBe("1");
    expect(await shed.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    for (const release of held.splice(0)) release();
    for (const reply of await Promise.all(first)) expect(reply.status).toBe(200);
    const again = post(api, { agent_id: 574 });
    await until(() => held.length === 1);
    held[0]?.();
    expect((await again).status).toBe(200);
  });

  it("reserves capacity for other accounts and returns 429 to one that uses up its own", async () => {
    const held: (() => void)[] = [];
    api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))), {
      bounds: { maxAsks: 3, maxAsksOfOne: 2 },
    });
    const first = [post(api, { agent_id: 574 }), post(api, { agent_id: 574 })];
    await until(() => held.length === 2);
    const refused = await post(api, { agent_id: 574 });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("1");
    const { error } = (await refused.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({
      code: "RATE_LIMITED",
      message: expect.stringContaining("2 requests of the account"),
    });
    const other = post(api, { agent_id: 574 }, { authorization: `Bearer ${OTHER_TOKEN}` });
    await until(() => held.length === 3);
    for (const release of held.splice(0)) release();
    for (const reply of await Promise.all([...first, other])) expect(reply.status).toBe(200);
  });
});

describe("stopping", () => {
  it("finishes requests in flight, refuses new ones and closes kept-alive connections", async () => {
    const held: (() => void)[] = [];
    api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))));
    await (await fetch(`${api.url}/health`)).text();
    const inFlight = post(api, { agent_id: 574 });
    await until(() => held.length === 1);
    const started = performance.now();
    const closed = api.app.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(fetch(`${api.url}/health`)).rejects.toThrow();
    held[0]?.();
    const reply = await inFlight;
    expect(reply.status).toBe(200);
    expect(reply.headers.get("connection")).toBe("close");
    await reply.text();
    await closed;
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it("cuts requests that do not end in time", async () => {
    let requested = 0;
    const never = async (): Promise<never> => {
      requested += 1;
      return new Promise(() => undefined);
    };
    api = await openApi(never, { bounds: { stopTimeoutMs: 200 } });
    const stuck = post(api, { agent_id: 574 });
    stuck.catch(() => undefined);
    await until(() => requested === 1);
    const started = performance.now();
    await api.app.close();
    expect(performance.now() - started).toBeLessThan(1500);
    await expect(stuck).rejects.toThrow();
    await until(() => api.usage.length === 1);
    expect(api.usage).toMatchObject([{ keyId: "key-1", agentId: 574, status: 503 }]);
    expect(api.lines).toMatchObject([{ status: 503, aborted: true }]);
    const metrics = await api.metrics.metrics();
    expect(metrics).toContain('almanac_http_requests_total{dataset="things",status="503"} 1');
  });
});

describe("an operator", () => {
  it("gets one log line per request with the key's prefix and never the key", async () => {
    api = await openApi(async () => answerOf());
    await post(api, { agent_id: 574, params: { secret: "hunter2" } });
    await fetch(`${api.url}/nowhere?token=hunter2`);
    await until(() => api.lines.length === 2);
    const [line, lost] = api.lines;
    expect(line).toMatchObject({ status: 200, agent_id: 574, rows: 2, key: TOKEN.slice(0, 15), method: "POST" });
    expect(line?.["bytes"]).toBeGreaterThan(100);
    expect(line?.["ms"]).toBeGreaterThan(0);
    expect(lost).toMatchObject({ status: 404, path: "/nowhere", code: "NOT_FOUND" });
    expect(JSON.stringify(api.lines)).not.toContain(TOKEN);
    expect(JSON.stringify(api.lines)).not.toContain("hunter2");
    expect(api.usage).toEqual([expect.objectContaining({ keyId: "key-1", agentId: 574, status: 200, rows: 2 })]);
  });

  it("gets one log line also for a caller that disconnected before the answer", async () => {
    const held: (() => void)[] = [];
    api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))));
    const leaving = new AbortController();
    const body = JSON.stringify({ agent_id: 574 });
    const requested = fetch(api.endpoint, { method: "POST", headers: HEADERS, body, signal: leaving.signal });
    await until(() => held.length === 1);
    leaving.abort();
    await expect(requested).rejects.toThrow();
    await until(() => api.lines.length === 1);
    held[0]?.();
    await fetch(`${api.url}/health`);
    await until(() => api.lines.length === 2);
    const [line] = api.lines;
    expect(line).toMatchObject({ status: 499, aborted: true, agent_id: 574, key: TOKEN.slice(0, 15) });
    expect(api.usage).toEqual([expect.objectContaining({ keyId: "key-1", agentId: 574, status: 499, rows: 0 })]);
    const metrics = await api.metrics.metrics();
    expect(metrics).toContain('almanac_http_requests_total{dataset="things",status="499"} 1');
  });

  it.each([
    ["does not arrive in time", "Content-Length: 200\r\n\r\n{"],
    ["breaks off", "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"],
  ])("gets one log line for a request whose body %s, with the status that its caller got", async (_, rest) => {
    api = await openApi(async () => answerOf(), { bounds: { headersTimeoutMs: 300, requestTimeoutMs: 300 } });
    const names = Object.entries({ host: "x", ...HEADERS }).map(([name, value]) => `${name}: ${value}\r\n`);
    const text = await rawRequest(api.port, `POST ${ENDPOINT} HTTP/1.1\r\n${names.join("")}${rest}`, 4000);
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    await until(() => api.usage.length === 1);
    expect(api.usage).toMatchObject([{ keyId: "key-1", status: 400 }]);
    expect(api.lines).toMatchObject([{ status: 400, msg: "refused" }]);
    const metrics = await api.metrics.metrics();
    expect(metrics).toContain('almanac_http_requests_total{dataset="none",status="400"} 1');
    expect(metrics).not.toContain('status="499"');
  });

  it("sees an unknown agent_id counted as none", async () => {
    api = await openApi(async () => answerOf());
    await post(api, { agent_id: 123456789 });
    await until(() => api.usage.length === 1);
    expect(api.usage[0]?.agentId).toBe(0);
    expect(await api.metrics.metrics()).not.toContain("123456789");
  });

  it("gets metrics, on a separate port only", async () => {
    api = await openApi(async () => answerOf());
    await post(api, { agent_id: 574 });
    await until(() => api.lines.length === 1);
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
    const metrics = createMetricsServer(api.metrics);
    const url = await metrics.listen({ host: "127.0.0.1", port: 0 });
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toContain('almanac_http_requests_total{dataset="things",status="200"} 1');
    expect(text).toContain("almanac_http_asks_in_flight 0");
    expect(text).toContain('almanac_http_request_seconds_count{dataset="things"} 1');
    expect((await fetch(`${url}/other`)).status).toBe(404);
    await metrics.close();
  });

  it("gets liveness and readiness", async () => {
    let reasons: string[] = [];
    let now = Date.now();
    let looked = 0;
    api = await openApi(async () => answerOf(), {
      readiness: async () => {
        looked += 1;
        return { ready: reasons.length === 0, reasons };
      },
      clock: () => now,
    });
    expect(await (await fetch(`${api.url}/health`)).json()).toEqual({ status: "ok" });
    const replies = await Promise.all(Array.from({ length: 20 }, () => fetch(`${api.url}/ready`)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(looked).toBe(1);
    reasons = ["The store is down."];
    now += 1000;
    const reply = await fetch(`${api.url}/ready`);
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ ready: false, reasons, error: { code: "UNAVAILABLE" } });
    expect(reply.headers.get("retry-after")).toBe("1");
  });

  it("sees not ready if the readiness check itself fails", async () => {
    api = await openApi(async () => answerOf(), { readiness: () => Promise.reject(new Error("boom /var")) });
    const reply = await fetch(`${api.url}/ready`);
    expect(reply.status).toBe(503);
    expect(await reply.text()).not.toContain("boom");
  });
});
