import { Agent, get as httpGet, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { serveExchange, type ServedExchange } from "../../src/serve.ts";
import type { FaultStatus } from "../../src/faults/faults.ts";

/** A small exchange with a paused clock, and functions that set its faults through the control port. */
export interface OpenStorm {
  exchange: ServedExchange;
  /** POST /faults; throws an error with the response body if it is rejected. */
  set(faults: object[], seed?: number): Promise<FaultStatus>;
  status(): Promise<FaultStatus>;
  clear(): Promise<void>;
}

export async function openStorm(): Promise<OpenStorm> {
  const exchange = await serveExchange({
    seed: 11,
    speed: 0,
    days: 0.5,
    from_ms: Date.UTC(2026, 8, 20),
    world: { events: 30, wallets: 120, activity: 3, kalshi_markets: 40 },
  });
  const url = `${exchange.urls.control_url}/faults`;
  return {
    exchange,
    async set(faults, seed = 1) {
      const headers = { "content-type": "application/json" };
      const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify({ seed, faults }) });
      if (!reply.ok) throw new Error(await reply.text());
      return (await reply.json()) as FaultStatus;
    },
    status: async () => (await (await fetch(url)).json()) as FaultStatus,
    clear: async () => void (await fetch(url, { method: "DELETE" })),
  };
}

/** Result of one GET: the response, or the error code and what was received before it. */
export interface Got {
  status: number;
  headers: IncomingMessage["headers"];
  text: string;
  error: string | undefined;
}

/** Sends a GET on a new connection. */
export function get(url: string, timeoutMs: number = 20_000): Promise<Got> {
  return new Promise((resolve) => {
    const got: Got = { status: 0, headers: {}, text: "", error: undefined };
    const fail = (error: NodeJS.ErrnoException): void => resolve({ ...got, error: error.code ?? error.message });
    const request = httpGet(url, { agent: new Agent(), timeout: timeoutMs }, (reply) => {
      Object.assign(got, { status: reply.statusCode, headers: reply.headers });
      reply.on("data", (chunk: Buffer) => (got.text += chunk.toString()));
      reply.on("error", fail);
      reply.on("end", () => resolve(got));
    });
    request.on("timeout", () => request.destroy(Object.assign(new Error("timeout"), { code: "TIMEOUT" })));
    request.on("error", fail);
  });
}

/** The parsed body of a GET. */
export async function read<T>(url: string): Promise<T> {
  return JSON.parse((await get(url)).text) as T;
}

/** One JSON-RPC call, or a batch. */
export async function rpc<T>(url: string, body: unknown): Promise<T> {
  const headers = { "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return (await reply.json()) as T;
}

/** A websocket, the messages it received, and how it ended. */
export interface Line {
  socket: WebSocket;
  texts: string[];
  pings: number;
  pongs: number;
  closed: number | undefined;
  error: string | undefined;
}

/** Opens a websocket; resolves when it is open or has failed. */
export async function openLine(url: string, headers: Record<string, string> = {}): Promise<Line> {
  const socket = new WebSocket(url, { headers });
  const line: Line = { socket, texts: [], pings: 0, pongs: 0, closed: undefined, error: undefined };
  socket.on("message", (data) => line.texts.push(String(data)));
  socket.on("ping", () => (line.pings += 1));
  socket.on("pong", () => (line.pongs += 1));
  socket.on("close", (code) => (line.closed = code));
  await new Promise<void>((resolve) => {
    socket.once("open", resolve);
    socket.once("error", (error) => {
      line.error = error.message;
      resolve();
    });
  });
  return line;
}
