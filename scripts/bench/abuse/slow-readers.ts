import { connect, type Socket } from "node:net";
import { bodyOf, ENDPOINT } from "../ask-question.ts";
import { addressOf, type Got, type Target } from "./target.ts";

const READERS = 200;
const PIPELINED = 8;
const BYTES_A_SECOND = 1024;
const OPEN_AGAIN_MS = 1000;

/** Markets with all their figures: 280 kB a page, a different one each time. */
const bodyAt = (turn: number): string => bodyOf(575, { min_volume_24h: String(turn / 1000) }, 200);

function requestOf(host: string, key: string, body: string): string {
  const lines = [
    `POST ${ENDPOINT} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** Pipelines several large requests on each connection and reads the responses at 1 kB a second. */
export async function readSlowly({ baseUrl, keys }: Target, signal: AbortSignal): Promise<Got> {
  const { hostname: host, port } = new URL(baseUrl);
  const sockets = new Set<Socket>();
  const got: Record<string, number> = { bytes: 0 };
  let turn = 0;
  const open = (): void => {
    const onread = { buffer: Buffer.alloc(BYTES_A_SECOND), callback: take };
    const socket = connect({ host, port: Number(port), localAddress: addressOf("slow"), onread });
    sockets.add(socket);
    const key = keys[turn % keys.length] ?? "";
    const requests = Array.from({ length: PIPELINED }, () => requestOf(host, key, bodyAt(turn++)));
    socket.write(requests.join(""));
    socket.on("error", ({ code = "failed" }: NodeJS.ErrnoException) => (got[code] = (got[code] ?? 0) + 1));
    socket.on("close", () => {
      sockets.delete(socket);
      got["closed"] = (got["closed"] ?? 0) + 1;
      if (!signal.aborted) setTimeout(open, OPEN_AGAIN_MS);
    });
  };
  // Returning false pauses the socket until the next second.
  function take(size: number, bytes: Uint8Array): boolean {
    got["bytes"] = (got["bytes"] ?? 0) + size;
    const status = /^HTTP\/1\.1 (\d{3})/.exec(
      Buffer.from(bytes.subarray(0, Math.min(size, 20))).toString("latin1"),
    )?.[1];
    if (status !== undefined) got[status] = (got[status] ?? 0) + 1;
    return false;
  }
  for (let index = 0; index < READERS; index += 1) open();
  const timer = setInterval(() => sockets.forEach((socket) => socket.resume()), 1000);
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  clearInterval(timer);
  for (const socket of sockets) socket.destroy();
  return got;
}
