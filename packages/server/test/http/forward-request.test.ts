import { randomBytes } from "node:crypto";
import { request, type IncomingMessage } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { FastifyInstance } from "fastify";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createApi, ENDPOINT } from "../../src/http/create-api.ts";
import { createServer } from "../../src/http/create-server.ts";
import { createHttpMetrics } from "../../src/http/http-metrics.ts";
import { answerOf, apiOptions, HEADERS } from "./api.ts";

const forwardTo = { socketPath: `\0almanac-test-${randomBytes(8).toString("hex")}`, secret: "a-secret" };
const metrics = () => createHttpMetrics(new Registry());
let owner: FastifyInstance;
let worker: FastifyInstance;
let port: number;

beforeAll(async () => {
  owner = createServer({
    ...apiOptions(async () => answerOf({ params: { by: "owner" } })),
    metrics: metrics(),
    forwardingSecret: forwardTo.secret,
  });
  owner.get("/whence", (requested, reply) => {
    reply.header("set-cookie", ["a=1", "b=2"]);
    const { host, authorization, "x-of-this-hop": hop } = requested.headers;
    return reply.send({
      ip: requested.ip,
      host,
      peer: requested.headers["x-almanac-peer"] ?? null,
      authorization,
      hop,
    });
  });
  await owner.listen({ path: forwardTo.socketPath });
  const options = apiOptions(async () => answerOf({ params: { by: "worker" } }));
  worker = createApi({ ...options, metrics: metrics(), forwardTo }).app;
  await worker.listen({ host: "127.0.0.1", port: 0 });
  ({ port } = worker.server.address() as AddressInfo);
});
afterAll(async () => {
  await worker.close();
  await owner.close();
});

type Requested = { readonly method?: string; readonly path: string; readonly headers?: object; readonly body?: string };
async function ask({ method = "GET", path, headers, body }: Requested) {
  const requested = request({ port, method, path, headers: { ...headers } });
  requested.end(body);
  const [reply] = (await once(requested, "response")) as [IncomingMessage];
  return { status: reply.statusCode, headers: reply.headers, text: await text(reply) };
}
const question = { method: "POST", headers: HEADERS, body: JSON.stringify({ agent_id: 574, params: {} }) };

describe("a forwarding server", () => {
  test("answers the endpoint itself, with any query string, and forwards everything else", async () => {
    const by = async (path: string): Promise<unknown> => JSON.parse((await ask({ ...question, path })).text).params.by;
    expect([await by(ENDPOINT), await by(`${ENDPOINT}?a=b`)]).toEqual(["worker", "worker"]);
    expect(await by(ENDPOINT.replace("api", "%61pi"))).toBe("owner");
    expect(await ask({ path: ENDPOINT })).toMatchObject({ status: 405, headers: { allow: "OPTIONS, POST" } });
    expect((await ask({ path: "/nothing" })).status).toBe(404);
    expect(await ask({ method: "HEAD", path: "/health" })).toMatchObject({ status: 200, text: "" });
  });

  test("passes on the client's address, which clients cannot forge, and keeps every header", async () => {
    for (const reported of ["10.1.2.3", "wrong 10.1.2.3", undefined]) {
      const headers = { host: "almanac.example", ...(reported === undefined ? {} : { "x-almanac-peer": reported }) };
      const reply = await ask({ path: "/whence", headers });
      expect(JSON.parse(reply.text)).toEqual({ ip: "127.0.0.1", host: "almanac.example", peer: null });
      expect(reply.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
      expect(reply.headers["connection"]).toBe("keep-alive");
    }
  });

  test("closes each connection from its side once it is answered", async () => {
    // If the owner closed first, the end of a body would meet a closed socket and the answer be lost.
    const requested: (string | undefined)[] = [];
    const note = ({ headers }: IncomingMessage): unknown => requested.push(headers.connection);
    owner.server.on("request", note);
    const posts = Array.from({ length: 20 }, () => ask({ ...question, path: ENDPOINT.replace("api", "%61pi") }));
    expect((await Promise.all(posts)).every(({ status }) => status === 200)).toBe(true);
    owner.server.off("request", note);
    expect(new Set(requested)).toEqual(new Set(["keep-alive"]));
    await expect.poll(() => promisify(owner.server.getConnections.bind(owner.server))()).toBe(0);
  });

  test.each([
    ["the rest", "{"],
    ["any", ""],
  ])("closes the client's connection too if the owner answers without reading %s of a body", async (_, begun) => {
    const headers = { ...HEADERS, "content-length": String(5 * 1024 * 1024) };
    const requested = request({ port, method: "POST", path: ENDPOINT.replace("api", "%61pi"), headers });
    requested.on("error", () => undefined).flushHeaders();
    if (begun !== "") requested.write(begun);
    const [reply] = (await once(requested, "response")) as [IncomingMessage];
    expect([reply.statusCode, reply.headers.connection]).toEqual([413, "close"]);
    requested.destroy();
  });

  test("drops the headers that `Connection` names, except those a request depends on", async () => {
    const headers = {
      authorization: "Bearer a",
      "x-of-this-hop": "1",
      connection: "X-Of-This-Hop, authorization, close",
    };
    const reported = JSON.parse((await ask({ path: "/whence", headers })).text) as object;
    expect(reported).toMatchObject({ authorization: "Bearer a" });
    expect(reported).not.toHaveProperty("hop");
  });

  test("returns 503 if the owner is unreachable", async () => {
    const lines: Record<string, unknown>[] = [];
    const options = apiOptions(async () => answerOf(), { lines });
    const alone = createApi({
      ...options,
      metrics: metrics(),
      forwardTo: { ...forwardTo, socketPath: "\0nobody" },
    }).app;
    const url = await alone.listen({ host: "127.0.0.1", port: 0 });
    const reply = await fetch(`${url}/health`);
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).toBe("1");
    expect(await reply.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    // Only the log gives the reason.
    expect(lines).toMatchObject([{ level: 50, status: 503, err: { code: "ECONNREFUSED" } }]);
    await alone.close();
  });
});
