import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { answerOf, HEADERS, openApi, OTHER_TOKEN, post, type Api } from "./api.ts";

/** More than the buffers of both ends of a connection hold. */
const LARGE = 32 * 1024 * 1024;
const QUESTION = JSON.stringify({ agent_id: 574 });

let api: Api;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await api.close();
});

/** Sends a question and stops reading at the first bytes of its answer. */
async function askAndStall(): Promise<Socket> {
  const socket = connect(api.port, "127.0.0.1");
  sockets.push(socket);
  const head = { host: "x", ...HEADERS, "content-length": String(QUESTION.length) };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${new URL(api.endpoint).pathname} HTTP/1.1\r\n${lines.join("")}\r\n${QUESTION}`);
  await once(socket, "data");
  return socket.pause();
}

const statusOf = async (headers: Record<string, string> = {}): Promise<number> => {
  const reply = await post(api, QUESTION, headers);
  await reply.arrayBuffer();
  return reply.status;
};

test("an account holds at most as many unread answers in memory as it may make requests at once", async () => {
  api = await openApi(async () => answerOf({ body: Buffer.alloc(LARGE, "1") }), { bounds: { maxAsksOfOne: 2 } });
  const stalled = [await askAndStall(), await askAndStall()];
  expect(await statusOf()).toBe(429);
  expect(await statusOf({ authorization: `Bearer ${OTHER_TOKEN}` })).toBe(200);
  stalled[0]?.destroy();
  await expect.poll(() => statusOf()).toBe(200);
});

test("unread answers of one account take no room from the other accounts' requests", async () => {
  api = await openApi(async () => answerOf({ body: Buffer.alloc(LARGE, "1") }), { bounds: { maxAsks: 1 } });
  await askAndStall();
  expect(await statusOf({ authorization: `Bearer ${OTHER_TOKEN}` })).toBe(200);
});
