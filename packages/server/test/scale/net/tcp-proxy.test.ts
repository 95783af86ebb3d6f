import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { connect, createServer as createNetServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy.ts";

const LARGE = Buffer.alloc(2_000_000, "almanac ");
let server: Server;
let proxy: TcpProxy;

beforeAll(async () => {
  server = createServer((requested, reply) => {
    if (requested.url === "/large") reply.end(LARGE);
    else requested.pipe(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  proxy = await openTcpProxy({ port: (server.address() as AddressInfo).port });
});
afterEach(() => proxy.close());

const echo = async (body: string | Buffer = "hello", path = "/"): Promise<Buffer> => {
  const reply = await request(`http://127.0.0.1:${proxy.port}${path}`, { method: "POST", body, reset: true });
  return Buffer.from(await reply.body.arrayBuffer());
};
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

test("a healthy link delivers all data unchanged, both ways", async () => {
  expect((await echo(LARGE)).equals(LARGE)).toBe(true);
  expect((await echo("", "/large")).equals(LARGE)).toBe(true);
  expect(proxy.accepted()).toBe(2);
});

test("a cut link resets open and new connections, and works again afterwards", async () => {
  proxy.turn({ bytesPerSecond: 10_000 });
  const under = echo("", "/large");
  const ended = expect(under).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
  await sleep(50);
  proxy.turn({ isCut: true });
  await ended;
  await expect(echo()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
  proxy.turn({});
  expect(String(await echo())).toBe("hello");
});

test("a silent link delivers nothing on open and new connections, and delivers what was sent once it recovers", async () => {
  proxy.turn({ isSilent: true });
  let isAnswered = false;
  const answer = echo().finally(() => (isAnswered = true));
  await sleep(200);
  expect(isAnswered).toBe(false);
  proxy.turn({});
  expect(String(await answer)).toBe("hello");
});

test("a slow link answers later by its delay, in order and complete", async () => {
  proxy.turn({ delayMs: 120, jitterMs: 40 });
  // Connecting takes a round trip, and so does the answer.
  expect(await timed(() => echo())).toBeGreaterThan(180);
  expect((await echo(LARGE)).equals(LARGE)).toBe(true);
});

test("a throttled link shares its bytes per second between all its connections", async () => {
  proxy.turn({ bytesPerSecond: 100_000 });
  const body = Buffer.alloc(20_000, "x");
  expect(await timed(() => Promise.all([echo(body), echo(body)]))).toBeGreaterThan(350);
});

test("resets the client if the server behind the proxy does not exist", async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, "127.0.0.1", resolve));
  const { port } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  await proxy.close();
  proxy = await openTcpProxy({ port });
  await expect(echo()).rejects.toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
});

test("with neverResets, ends a cut connection and one whose server was killed without a reset", async () => {
  await proxy.close();
  const peers = new Set<Socket>();
  const raw = createNetServer((socket) => void peers.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
  proxy = await openTcpProxy({ port: (raw.address() as AddressInfo).port, neverResets: true });
  const open = async () => {
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write("unread");
    // Rejects if the connection is reset.
    const ended = once(socket.resume(), "end");
    await expect.poll(() => peers.size).toBe(1);
    return { ended };
  };
  const cut = await open();
  proxy.turn({ isCut: true });
  await cut.ended;
  proxy.turn({});
  peers.clear();
  const killed = await open();
  for (const peer of peers) peer.resetAndDestroy();
  await killed.ended;
  raw.close();
});
