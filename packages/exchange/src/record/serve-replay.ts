import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { lazy } from "./lazy.ts";
import { readRecordedMessages } from "./read-recorded-messages.ts";
import { replay } from "./replay.ts";

const PATH = "/ws/market";
const FRAME_BYTES = 1024 * 1024;

interface Subscribe {
  assets_ids?: unknown;
  operation?: unknown;
}

interface ServeReplayOptions {
  dir: string;
  /** The world's market socket, with its path. */
  upstream: string;
  host: string;
  port: number;
}

/**
 * The market websocket with recordings: a token that is recorded gets its frames, all of them and then silence; every other
 * subscription goes on to the world's socket, whose frames come back on the same connection.
 */
export async function serveReplay(options: ServeReplayOptions): Promise<{ ws_url: string; close(): Promise<void> }> {
  const { host, port } = options;
  const server = new WebSocketServer({ host, port, path: PATH, maxPayload: FRAME_BYTES });
  await new Promise<void>((resolve, reject) => {
    server.once("listening", resolve).once("error", reject);
  });
  const door = new ReplayDoor(options.dir, options.upstream);
  server.on("connection", (client) => door.connect(client));
  return {
    ws_url: `ws://${host}:${(server.address() as AddressInfo).port}${PATH}`,
    close: () => {
      for (const client of server.clients) client.terminate();
      return new Promise((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

class ReplayDoor {
  readonly #dir: string;
  readonly #upstream: string;
  readonly #assets: () => Promise<ReadonlySet<string>>;

  constructor(dir: string, upstream: string) {
    this.#dir = dir;
    this.#upstream = upstream;
    this.#assets = lazy(() => assetsOf(dir));
  }

  connect(client: WebSocket): void {
    const replayed = new Set<string>();
    const world = new Onward(this.#upstream, client);
    client.on("message", (data) => {
      const text = data.toString();
      if (text === "PING") client.send("PONG");
      else this.#subscribe(text, client, replayed, world).catch(() => client.terminate());
    });
    client.on("error", () => client.terminate());
    client.on("close", () => world.close());
  }

  async #subscribe(text: string, client: WebSocket, replayed: Set<string>, world: Onward): Promise<void> {
    const message = parse(text);
    const ids = Array.isArray(message?.assets_ids) ? message.assets_ids.map(String) : [];
    const known = await this.#assets();
    const others = ids.filter((id) => !known.has(id));
    if (others.length > 0 || ids.length === 0) {
      world.send(message ? JSON.stringify({ ...message, assets_ids: others }) : text);
    }
    if (message?.operation === "unsubscribe") return;
    const fresh = new Set(ids.filter((id) => known.has(id) && !replayed.has(id)));
    for (const id of fresh) replayed.add(id);
    if (fresh.size > 0) await replay(this.#dir, fresh, client);
  }
}

/** The connection to the world's socket: opened by the first thing to say, closed with the client's. */
class Onward {
  readonly #upstream: string;
  readonly #client: WebSocket;
  #socket: WebSocket | undefined;

  constructor(upstream: string, client: WebSocket) {
    this.#upstream = upstream;
    this.#client = client;
  }

  send(text: string): void {
    const socket = this.#open();
    if (socket.readyState === WebSocket.OPEN) socket.send(text);
    else socket.once("open", () => socket.send(text));
  }

  close(): void {
    this.#socket?.terminate();
  }

  #open(): WebSocket {
    if (this.#socket) return this.#socket;
    const socket = new WebSocket(this.#upstream);
    socket.on("message", (data, binary) => this.#client.send(data, { binary }));
    socket.on("error", () => this.#client.terminate());
    socket.on("close", () => this.#client.close());
    this.#socket = socket;
    return socket;
  }
}

async function assetsOf(dir: string): Promise<ReadonlySet<string>> {
  const assets = new Set<string>();
  for await (const message of readRecordedMessages(dir)) for (const asset of message.asset_ids) assets.add(asset);
  return assets;
}

function parse(text: string): Subscribe | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : undefined;
  } catch {
    return undefined;
  }
}
