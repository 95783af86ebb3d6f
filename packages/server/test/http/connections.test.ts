import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { thoroughly } from "../../../../scripts/vitest/test-levels.ts";
import type { ServerOptions } from "../../src/http/server-options.ts";
import { ENDPOINT } from "../../src/http/create-api.ts";
import { answerOf, HEADERS, openApi, post, type Api } from "./api.ts";

let api: Api;
let sockets: Socket[] = [];
let held: (() => void)[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  for (const letGo of held) letGo();
  held = [];
  await api.close();
});

/** Batches of 500 connections. */
const BATCHES = thoroughly(20, 3);
const FROM_OTHER = "127.0.0.2";
const bounds = { maxConnections: 20, maxConnectionsOfOne: 4 };
const open = async (more: Partial<ServerOptions> = {}): Promise<void> => {
  api = await openApi(() => new Promise((resolve) => held.push(() => resolve(answerOf()))), { bounds, ...more });
};
async function socketFrom(localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port: api.port, host: "127.0.0.1", localAddress });
  sockets.push(socket);
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}
async function ask(socket: Socket, path = "/health"): Promise<void> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
  await once(socket, "data");
}
const closed = (why: string) => async () => {
  const metric = await api.metrics.getSingleMetric("almanac_http_connections_closed_total")?.get();
  return metric?.values.find(({ labels }) => labels["why"] === why)?.value ?? 0;
};
const isOpen = (): boolean[] => sockets.map((socket) => !socket.closed);

test("the longest idle connection of an address is closed for a new one, and other addresses keep theirs", async () => {
  await open();
  const other = await socketFrom(FROM_OTHER);
  await ask(other);
  for (let count = 0; count < 4; count += 1) await socketFrom();
  await ask(sockets[1] as Socket);
  await socketFrom();
  await expect.poll(isOpen).toEqual([true, true, false, true, true, true]);
  expect(await closed("one_address")()).toBe(1);
  await ask(other);
});

test("a stop waits for clients that are sending, but not for those that connected and sent nothing", async () => {
  const never = 600_000;
  const waiting = {
    headersTimeoutMs: never,
    requestTimeoutMs: never,
    idleSocketTimeoutMs: never,
    stopTimeoutMs: never,
  };
  await open({ bounds: waiting });
  const there: Socket[] = [];
  api.app.server.on("connection", (socket: Socket) => there.push(socket));
  const [silent, sending] = [await socketFrom(), await socketFrom()];
  sending.write("GET /health HTTP/1.1\r\n");
  await expect.poll(() => there.map(({ bytesRead }) => bytesRead > 0).sort()).toEqual([false, true]);
  const stopped = api.close();
  await once(silent, "close");
  sending.write("host: a\r\n\r\n");
  const [answer] = (await once(sending, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503 /);
  await stopped;
});

test("if all connections of an address have a request, a new one is closed and no request is lost", async () => {
  await open();
  const requested = Array.from({ length: 4 }, () => post(api, { agent_id: 574 }));
  await expect.poll(() => held.length).toBe(4);
  await socketFrom();
  await expect.poll(isOpen).toEqual([false]);
  await ask(await socketFrom(FROM_OTHER));
  for (const letGo of held) letGo();
  expect((await Promise.all(requested)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("a trusted proxy may open as many as it needs; near the total bound the longest idle one is closed", async () => {
  await open({ trustedProxies: ["127.0.0.0/31"] });
  for (let count = 0; count < 18; count += 1) await socketFrom();
  expect(isOpen()).not.toContain(false);
  await ask(await socketFrom(FROM_OTHER));
  await expect.poll(isOpen).toEqual([false, ...Array<boolean>(18).fill(true)]);
  expect(await closed("all")()).toBe(1);
});

test("many idle connections of one address do not affect another", async () => {
  await open({ bounds: { maxConnectionsOfOne: 512 } });
  for (let batch = 0; batch < BATCHES; batch += 1) await Promise.all(Array.from({ length: 500 }, () => socketFrom()));
  await ask(await socketFrom(FROM_OTHER));
  await expect.poll(() => isOpen().filter(Boolean).length).toBe(513);
});

test("a connection with another request in flight is not idle once one of its requests is answered", async () => {
  await open({ bounds: { maxConnectionsOfOne: 1 } });
  const body = JSON.stringify({ agent_id: 574 });
  const head = Object.entries({ host: "a", ...HEADERS, "content-length": String(body.length) });
  const socket = await socketFrom();
  socket.write(
    `GET /health HTTP/1.1\r\nhost: a\r\n\r\nPOST ${ENDPOINT} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
  await once(socket, "data");
  await expect.poll(() => held.length).toBe(1);
  await socketFrom();
  await expect.poll(isOpen).toEqual([true, false]);
});
