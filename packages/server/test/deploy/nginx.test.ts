import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Dispatcher, request } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_BOUNDS } from "../../src/http/bounds.ts";
import { CONSOLE_ROUTES } from "../../src/http/console/console-routes.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { REPOSITORY } from "./repository.ts";
import { checkNginx, nginxAbsence, startNginx, type TestNginx } from "./start-nginx.ts";

const absence = nginxAbsence();
const template = (): string => readFileSync(join(REPOSITORY, "deploy/nginx/almanac.conf.template"), "utf8");
const ASK = `/api/console${CONSOLE_ROUTES.ask.path}`;

/** Stub of an API process: records the requests that reach it, and may break off before it answers. */
type Stand = { readonly seen: IncomingMessage[]; isBreaking: boolean; readonly server: Server; readonly port: number };

async function stand(answer: RequestListener): Promise<Stand> {
  const seen: IncomingMessage[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(incoming);
    incoming.resume().once("end", () => {
      if (one.isBreaking) incoming.socket.destroy();
      else answer(incoming, outgoing);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const one: Stand = { seen, isBreaking: false, server, port: (server.address() as AddressInfo).port };
  return one;
}

describe.skipIf(absence !== undefined)(`nginx in front of the API processes${absence ? ` (${absence})` : ""}`, () => {
  const stands: Stand[] = [];
  let nginx: TestNginx;
  beforeAll(async () => {
    for (let made = 0; made < 2; made += 1) {
      stands.push(
        await stand((_incoming, outgoing) =>
          outgoing.setHeader("content-encoding", "br").end(Buffer.from([11, 2, 128])),
        ),
      );
    }
    nginx = await startNginx(
      stands.map(({ port }) => port),
      { isForgiving: true },
    );
  });
  afterEach(() => {
    for (const one of stands) {
      one.isBreaking = false;
      one.seen.length = 0;
    }
  });
  afterAll(async () => {
    await nginx.stop();
    for (const { server } of stands) {
      server.close();
      server.closeAllConnections();
    }
  });
  const reached = (): IncomingMessage[] => stands.flatMap(({ seen }) => seen);
  const ask = (path: string, more: Partial<Parameters<typeof request>[1]> = {}) =>
    request(`${nginx.url}${path}`, { dispatcher: nginx.dispatcher, ...more });
  const post = (path: string, body = "{}") => ask(path, { method: "POST", body });

  test("nginx -t accepts the configuration, with the example's processes and with those of the compose file", () => {
    for (const file of ["deploy/nginx/api-servers.conf", "deploy/compose/nginx/api-servers.conf"]) {
      const lines = readFileSync(join(REPOSITORY, file), "utf8");
      // Container names cannot be resolved here, and Debian's nginx is too old for "resolve".
      const here = lines
        .replaceAll(/^server [^:]+:/gm, "server 127.0.0.1:")
        .replaceAll(/ resolve;|^resolver .*$/gm, ";");
      expect(checkNginx(here.replaceAll(/^;$/gm, ""))).toMatchObject({ isGood: true });
    }
  });

  test.each([ENDPOINT, ASK])("retries a request to %s on the other process if the first one dies", async (path) => {
    for (let turn = 0; turn < 6; turn += 1) {
      const [one, other] = turn % 2 === 0 ? stands : stands.toReversed();
      if (!one || !other) throw new Error("two processes stand here");
      [one.isBreaking, other.isBreaking] = [true, false];
      expect((await post(path)).statusCode).toBe(200);
    }
    expect(reached().length).toBeGreaterThan(6);
  });

  test("never sends a write twice: answers a broken-off one with 503, in the service's error format", async () => {
    for (const one of stands) one.isBreaking = true;
    const reply = await post(`/api/console${CONSOLE_ROUTES["keys.make"].path}`);
    expect(reply.statusCode).toBe(503);
    expect(reply.headers["retry-after"]).toBe("1");
    expect(await reply.body.json()).toMatchObject({ error: { code: "UNAVAILABLE" } });
    expect(reached()).toHaveLength(1);
  });

  test("accepts a body as large as the service does, and rejects one byte more in its error format", async () => {
    expect((await post(ENDPOINT, "x".repeat(DEFAULT_BOUNDS.maxBodyBytes))).statusCode).toBe(200);
    const reply = await post(ENDPOINT, "x".repeat(DEFAULT_BOUNDS.maxBodyBytes + 1));
    expect(reply.statusCode).toBe(413);
    expect(await reply.body.json()).toMatchObject({ error: { code: "BODY_TOO_LARGE" } });
    expect(reached()).toHaveLength(1);
  });

  test.each([
    ["a path that is too long", `/docs/${"a".repeat(17_000)}`, {}],
    ["a header that is too long", "/docs", { "x-long": "a".repeat(17_000) }],
    ["a path with a wrong escape", "/%zz", {}],
    ["no TLS on the port with TLS", "", {}],
  ])("rejects %s itself, in the service's error format", async (_what, path, headers) => {
    const dispatcher = nginx.dispatcherFrom("127.0.0.1");
    const reply = await (path === ""
      ? request(nginx.url.replace("https:", "http:"))
      : ask(path, { headers, dispatcher }));
    expect(reply.statusCode).toBe(400);
    expect(await reply.body.json()).toMatchObject({ error: { code: "INVALID_REQUEST" } });
    expect(reached()).toHaveLength(0);
  });

  test("its timeouts are in the right order relative to the service's", () => {
    const text = template();
    const seconds = (name: string): number => Number(new RegExp(`^ *${name} (\\d+)s;`, "m").exec(text)?.[1]);
    expect(seconds("proxy_read_timeout") * 1000).toBeGreaterThan(DEFAULT_BOUNDS.askTimeoutMs);
    expect(seconds("keepalive_timeout") * 1000).toBeLessThan(DEFAULT_BOUNDS.keepAliveTimeoutMs);
    expect(seconds("client_header_timeout") * 1000).toBeLessThanOrEqual(DEFAULT_BOUNDS.headersTimeoutMs);
  });

  test("sets the client address itself, keeps the client's Host header, and passes answers through unchanged", async () => {
    const headers = { "x-forwarded-for": "6.6.6.6", forwarded: "for=6.6.6.6", "x-forwarded-host": "evil.example" };
    const reply = await ask("/docs", { headers });
    expect(reply.headers["content-encoding"]).toBe("br");
    expect([...new Uint8Array(await reply.body.arrayBuffer())]).toEqual([11, 2, 128]);
    const [seen] = reached();
    expect(seen?.headers).toMatchObject({
      host: new URL(nginx.url).host,
      "x-forwarded-for": "127.0.0.1",
      "x-forwarded-proto": "https",
    });
    expect(seen?.headers).not.toHaveProperty("forwarded");
    expect(seen?.headers).not.toHaveProperty("x-forwarded-host");
  });

  test.each(["/metrics", "/metrics/", "/%6detrics", "//metrics", "/x/../metrics"])(
    "%s is not proxied",
    async (path) => {
      expect((await ask(path)).statusCode).toBe(404);
      expect(reached()).toHaveLength(0);
    },
  );

  test("proxies nothing without TLS: redirects pages, rejects API calls", async () => {
    const page = await request(`${nginx.plainUrl}/docs?x=1`);
    expect([page.statusCode, page.headers.location]).toEqual([308, "https://localhost/docs?x=1"]);
    const call = await request(`${nginx.plainUrl}${ENDPOINT}`, { method: "POST", body: "{}" });
    expect(call.statusCode).toBe(403);
    expect(await call.body.json()).toMatchObject({ error: { code: "FORBIDDEN" } });
    expect(reached()).toHaveLength(0);
  });

  test("answers an address above the rate limit with 429 in the service's error format", async () => {
    const few = await startNginx([stands[0]?.port ?? 0], { few: { burst: 3 } });
    const replies = [];
    for (let turn = 0; turn < 6; turn += 1)
      replies.push(await request(`${few.url}/docs`, { dispatcher: few.dispatcher }));
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 429, 429]);
    expect(replies[5]?.headers["retry-after"]).toBe("1");
    expect(await replies[5]?.body.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    await few.stop();
  });

  test("answers an address at its connection limit with 429 while another address gets through", async () => {
    const most = Number(/^ *limit_conn almanac_connections (\d+);/m.exec(template())?.[1]);
    const held: ServerResponse[] = [];
    const slow = await stand((_incoming, outgoing) => held.push(outgoing));
    const before = await startNginx([slow.port], { isForgiving: true });
    const askBy = (dispatcher: Dispatcher) => request(`${before.url}/docs`, { dispatcher });
    const requested = Array.from({ length: most }, () => askBy(before.dispatcher));
    await expect.poll(() => held.length).toBe(most);
    const refused = await askBy(before.dispatcher);
    expect(refused.statusCode).toBe(429);
    expect(await refused.body.json()).toMatchObject({ error: { code: "RATE_LIMITED" } });
    const other = askBy(before.dispatcherFrom("127.0.0.2"));
    await expect.poll(() => held.length).toBe(most + 1);
    for (const outgoing of held) outgoing.end();
    const replies = await Promise.all([...requested, other]);
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(slow.seen.at(-1)?.headers["x-forwarded-for"]).toBe("127.0.0.2");
    await before.stop();
    slow.server.close();
    slow.server.closeAllConnections();
  });
});
