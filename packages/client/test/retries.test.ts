import { afterEach, describe, expect, it, vi } from "vitest";
import { AlmanacError, createClient, createClientOver, type ClientOptions } from "../src/index.ts";
import { wait } from "../src/send.ts";
import { openSequence, type SequenceServer } from "./sequence-server.ts";

const PAGE = JSON.stringify({
  data: { results: [{ id: "1" }] },
  pagination: { limit: 50, offset: 0, has_more: false, next_cursor: null },
  params: {},
  coverage: { complete: true, from: null, to: null, gaps: [] },
  timestamp: "2026-11-20T10:00:04.120Z",
  request_id: "req_1",
});
const ok = { status: 200, body: PAGE };
const failing = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: JSON.stringify({ error: { code: "CODE", message: "why", request_id: "req_2", docs: "http://x/docs" } }),
});

const left = (remaining: number, reset: number) => ({
  ...ok,
  headers: {
    "x-ratelimit-limit": "60",
    "x-ratelimit-burst": "30",
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(reset),
  },
});

let server: SequenceServer;
afterEach(() => server.close());

function clientOf(more: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const noted = async (seconds: number): Promise<void> => void waits.push(seconds);
  return { waits, client: createClient({ baseUrl: server.url, key: "alm_live_x", wait: noted, ...more }) };
}

function abortable() {
  const control = new AbortController();
  return { signal: control.signal, abort: () => control.abort() };
}

const caught = async (promise: Promise<unknown>): Promise<AlmanacError> => {
  const error: unknown = await promise.then(
    () => new Error("it was answered"),
    (why: unknown) => why,
  );
  expect(error).toBeInstanceOf(AlmanacError);
  return error as AlmanacError;
};

describe("retries", () => {
  it.each([429, 500, 503])("follow %i after 1 and 2 seconds, three attempts in all", async (status) => {
    server = await openSequence(failing(status));
    const { client, waits } = clientOf();
    expect(await caught(client.ask(574))).toMatchObject({ status, code: "CODE", message: "why", requestId: "req_2" });
    expect(waits).toEqual([1, 2]);
    expect(server.requested).toHaveLength(3);
  });

  it("end with the first success", async () => {
    server = await openSequence(failing(503), failing(500), ok);
    const { client, waits } = clientOf();
    expect((await client.ask(574)).results).toEqual([{ id: "1" }]);
    expect(waits).toEqual([1, 2]);
  });

  it("wait as long as Retry-After says if that exceeds the backoff, and never less than the backoff", async () => {
    server = await openSequence(failing(503, { "retry-after": "7" }), failing(503, { "retry-after": "1" }), ok);
    const { client, waits } = clientOf();
    await client.ask(574);
    expect(waits).toEqual([7, 2]);
  });

  it("wait exactly as long as Retry-After says if the allowance is used up", async () => {
    server = await openSequence(failing(429, { "retry-after": "7" }), failing(429, { "retry-after": "1" }), ok);
    const { client, waits } = clientOf();
    await client.ask(574);
    expect(waits).toEqual([7, 1]);
  });

  it("wait no longer for the reset if the clock is set back meanwhile", async () => {
    server = await openSequence(left(0, 9), ok);
    const { client, waits } = clientOf();
    await client.ask(574);
    const before = Date.now() - 60_000;
    const clock = vi.spyOn(Date, "now").mockReturnValue(before);
    await client.ask(574);
    clock.mockRestore();
    expect(waits).toEqual([expect.closeTo(9, 0)]);
  });

  it("wait for the reset before a request if the last response left none", async () => {
    server = await openSequence(left(1, 1), left(0, 9), left(0, 3600), ok);
    const { client, waits } = clientOf();
    const first = await client.ask(574);
    expect(first.rate).toEqual({ limit: 60, burst: 30, remaining: 1, resetSeconds: 1 });
    await client.ask(574);
    expect(waits).toEqual([]);
    await client.ask(574);
    expect(waits).toEqual([expect.closeTo(9, 0)]);
    // The reset is later than the client may wait, so it sends the request and leaves the answer to the service.
    await client.ask(574);
    expect(waits).toHaveLength(1);
    expect(server.requested).toHaveLength(4);
  });

  it("accept Retry-After as a date", async () => {
    server = await openSequence(
      failing(503, { "retry-after": new Date(Date.now() + 30_000).toUTCString() }),
      failing(503, { "retry-after": "soon" }),
      ok,
    );
    const { client, waits } = clientOf();
    await client.ask(574);
    expect(waits[0]).toBeGreaterThan(27);
    expect(waits[0]).toBeLessThanOrEqual(30);
    expect(waits[1]).toBe(2);
  });

  it("do not wait longer than allowed: the error reports the seconds", async () => {
    server = await openSequence(failing(429, { "retry-after": "3600" }));
    const { client, waits } = clientOf();
    expect((await caught(client.ask(574))).retryAfterSeconds).toBe(3600);
    expect(waits).toEqual([]);
  });

  it.each([400, 401, 403, 404, 405, 406, 413, 415, 502, 504])("never follow %i", async (status) => {
    server = await openSequence(failing(status));
    const { client } = clientOf();
    expect((await caught(client.ask(574))).status).toBe(status);
    expect(server.requested).toHaveLength(1);
  });

  it("can be switched off", async () => {
    server = await openSequence(failing(503));
    expect((await caught(clientOf({ retries: 0 }).client.ask(574))).status).toBe(503);
    expect(server.requested).toHaveLength(1);
  });

  it("are ended by the caller's signal during a wait", async () => {
    server = await openSequence(failing(503));
    const control = new AbortController();
    const client = clientOf({
      wait: (seconds, signal) => {
        setTimeout(() => control.abort(new Error("enough")), 10);
        return wait(seconds * 1000, signal);
      },
    }).client;
    await expect(client.ask(574, {}, { signal: control.signal })).rejects.toThrow("enough");
    expect(server.requested).toHaveLength(1);
  });

  it("are ended by the caller's signal during a request, and send no further one", async () => {
    server = await openSequence("hang");
    const { signal, abort } = abortable();
    const { client } = clientOf();
    const asking = client.ask(574, {}, { signal });
    const over = expect(asking).rejects.toMatchObject({ name: "AbortError" });
    await expect.poll(() => server.requested.length).toBe(1);
    abort();
    await over;
    await expect(client.ask(574, {}, { signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(server.requested).toHaveLength(1);
  });
});

it("a request aborted while its error is read throws the signal's reason", async () => {
  server = await openSequence(ok);
  const control = new AbortController();
  const body = new ReadableStream({
    pull: (stream) => {
      control.abort(new Error("enough"));
      stream.error(control.signal.reason);
    },
  });
  const client = createClientOver(async () => new Response(body, { status: 400 }));
  await expect(client.ask(574, {}, { signal: control.signal })).rejects.toThrow("enough");
});

it("a download reports what was ignored and why rows may be missing", async () => {
  server = await openSequence({
    status: 200,
    body: "id\r\n",
    headers: {
      "x-almanac-coverage": "partial",
      "x-almanac-coverage-reasons": "a stream is late",
      "x-almanac-warnings": "sied was ignored",
    },
  });
  expect(await clientOf().client.download(574, {}, { format: "csv" })).toMatchObject({
    isComplete: false,
    coverageReasons: "a stream is late",
    warnings: "sied was ignored",
  });
});

describe("a failed request", () => {
  it("throws TIMEOUT when it takes too long", async () => {
    server = await openSequence("hang");
    expect(await caught(clientOf({ timeoutMs: 50 }).client.ask(574))).toMatchObject({ status: 0, code: "TIMEOUT" });
  });

  it("throws UNREACHABLE when no server listens, and is not retried", async () => {
    server = await openSequence(ok);
    await server.close();
    const { client, waits } = clientOf();
    expect(await caught(client.ask(574))).toMatchObject({ status: 0, code: "UNREACHABLE" });
    expect(waits).toEqual([]);
    server = await openSequence(ok);
  });

  it.each(["<html>", "{}", "null", '{"data":{"results":1}}'])("throws UNREADABLE when the body is %s", async (body) => {
    server = await openSequence({ status: 200, body, headers: { "x-request-id": "req_9" } });
    expect(await caught(clientOf().client.ask(574))).toMatchObject({ code: "UNREADABLE", requestId: "req_9" });
  });

  it("throws UNREADABLE for a document that is not the service's", async () => {
    server = await openSequence({ status: 200, body: "<html>", headers: { "x-request-id": "req_9" } });
    const downloading = clientOf().client.download(574, {}, { format: "csv" });
    expect(await caught(downloading)).toMatchObject({ status: 200, code: "UNREADABLE", requestId: "req_9" });
  });

  it("throws an error with its status when the body is not an error of the service", async () => {
    server = await openSequence({ status: 502, body: "<html>bad gateway</html>" });
    expect(await caught(clientOf().client.ask(574))).toMatchObject({ status: 502, code: "UNREADABLE", details: [] });
  });

  it("never follows a redirect with the key", async () => {
    server = await openSequence({ status: 307, headers: { location: "http://127.0.0.1:1/elsewhere" } });
    const message = "The service could not be reached, or its answer broke off: unexpected redirect.";
    expect(await caught(clientOf().client.ask(574))).toMatchObject({ code: "UNREACHABLE", message });
    expect(server.requested).toHaveLength(1);
  });
});

it("refuses an empty or impossible key, and a base URL that is none or has no scheme", async () => {
  server = await openSequence(ok);
  expect(() => createClient({ baseUrl: server.url, key: " " })).toThrow("key is empty");
  expect(() => createClient({ baseUrl: "almanac.example", key: "x" })).toThrow("almanac.example");
  expect(() => createClient({ baseUrl: "http://almanac.example:x", key: "x" })).toThrow("almanac.example:x");
  expect(() => createClient({ baseUrl: server.url, key: "alm_live_…" })).toThrow("key has");
});

it("sends the requested parameters and nothing else", async () => {
  server = await openSequence(ok);
  const { client } = clientOf({ baseUrl: `${server.url}/` });
  await client.ask(574);
  await client.ask(556, { side: "BUY" }, { limit: 10, cursor: "c", format: "typed" });
  expect(server.requested.map((one) => one.body)).toEqual([
    { agent_id: 574, params: {} },
    {
      agent_id: 556,
      params: { side: "BUY" },
      pagination: { limit: 10, cursor: "c" },
      formatter_config: { format_type: "typed" },
    },
  ]);
  expect(server.requested[0]).toMatchObject({
    url: "/api/v2/semantic/retrieve/parameterized",
    headers: { authorization: "Bearer alm_live_x", "content-type": "application/json" },
  });
});
