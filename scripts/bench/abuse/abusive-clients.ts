import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { bodyOf, ENDPOINT } from "../ask-question.ts";
import { addressOf, type Got, type Target } from "./scenes.ts";
import { countsOf, statusOf } from "./paying.ts";
import { connect, type Socket } from "node:net";
import { newKey } from "../../../packages/server/src/access/find.ts";

const DAY_MS = 86_400_000;
/** Longest list that the free plan allows. */
const MANY = 50;
const REFUSED_MS = 100;

/** The most expensive requests that the free plan allows, no two alike. */
function mostExpensive({ wallets, lastDay }: Target, turn: number): string {
  const round = Math.floor(turn / 4);
  const before = (days: number): string => new Date(Date.parse(lastDay) - days * DAY_MS).toISOString();
  const many = Array.from({ length: MANY }, (_, index) => wallets[(round * MANY + index) % wallets.length]).join(",");
  if (turn % 4 === 0) {
    const window = { lookback_hours: "8760", end_time: before((round % 4000) / 1440) };
    return bodyOf(596, { method: "robust", ...window }, 200);
  }
  if (turn % 4 === 1) {
    return bodyOf(
      596,
      { start_time: before(40 + (round % 4000) / 1440), end_time: before(0), min_change_pct: "1" },
      200,
    );
  }
  if (turn % 4 === 2) return bodyOf(581, { proxy_wallet: many, window_days: "all" }, MANY);
  return bodyOf(579, { leaderboard_period: "all", as_of: before(round % 150).slice(0, 10) }, 200);
}

/** Keeps as many requests in flight as the plan allows; a refused one is retried after a tenth of a second. */
export async function askExpensively(target: Target, signal: AbortSignal): Promise<Got> {
  const { baseUrl, keys, atOnce } = target;
  const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1, localAddress: addressOf("expensive") });
  const got: string[] = [];
  let turn = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const mine = turn++;
      const status = await statusOf(pool, keys[mine % keys.length] ?? "", mostExpensive(target, mine));
      if (signal.aborted) return;
      got.push(status);
      if (status !== "200") await sleep(REFUSED_MS);
    }
  };
  const loops = Promise.all(Array.from({ length: atOnce }, loop));
  // In-flight requests are abandoned at the end: the service must drop them by itself.
  signal.addEventListener("abort", () => void pool.destroy(), { once: true });
  await loops;
  return countsOf(got);
}

const AT_ONCE = 100;
const PAUSE_MS = 20;

/** Holds this many silent connections and reopens closed ones; returns how many were opened and held. */
export async function openIdle({ baseUrl, idleSockets }: Target, signal: AbortSignal): Promise<Got> {
  const { hostname: host, port } = new URL(baseUrl);
  const held = new Set<Socket>();
  const waiting = new Set<Socket>();
  let [opened, failed, maxHeld] = [0, 0, 0];
  const open = (): void => {
    const socket = connect({ host, port: Number(port), localAddress: addressOf("idle") });
    waiting.add(socket);
    socket.on("connect", () => {
      waiting.delete(socket);
      opened += 1;
      held.add(socket);
      maxHeld = Math.max(maxHeld, held.size);
    });
    socket.on("error", () => (failed += 1));
    socket.on("close", () => {
      waiting.delete(socket);
      held.delete(socket);
    });
    socket.resume();
  };
  while (!signal.aborted) {
    const lacking = Math.min(AT_ONCE, idleSockets - held.size - waiting.size);
    for (let index = 0; index < lacking; index += 1) open();
    await sleep(PAUSE_MS);
  }
  const heldAtEnd = held.size;
  for (const socket of [...held, ...waiting]) socket.destroy();
  return { opened, failed, "most held": maxHeld, "held at the end": heldAtEnd };
}

const CONNECTIONS = 64;
const BODY = bodyOf(556, {}, 100);

/** Sends unissued keys as fast as they are answered; every second one has a valid checksum and must be looked up. */
export async function flood({ baseUrl }: Target, signal: AbortSignal): Promise<Got> {
  const pool = new Pool(baseUrl, { connections: CONNECTIONS, pipelining: 1, localAddress: addressOf("strangers") });
  const got: string[] = [];
  let turn = 0;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      const key = turn++ % 2 === 0 ? newKey() : "alm_live_nobody";
      got.push(await statusOf(pool, key, BODY));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  await pool.destroy();
  return countsOf(got);
}

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
