import type { KeyObject } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import type { SocketTap } from "../../faults/socket/socket-tap.ts";
import type { Happening } from "../../world/contract.ts";
import { verifySignature } from "../access/verify-signature.ts";
import type { KalshiContext } from "../context.ts";
import { KalshiSession } from "./session.ts";

const PATH = "/trade-api/ws/v2";
const FRAME_BYTES = 1024 * 1024;

interface SocketDoorOptions {
  context: KalshiContext;
  /** Public keys by key id. */
  keys: ReadonlyMap<string, KeyObject>;
  /** Real time, ms: what a signature's timestamp is held against. */
  wall: () => number;
  /** Between two pings, ms. */
  heartbeat_ms: number;
  /** Stands between the door and its clients: the place for faults. */
  tap?: SocketTap;
}

/** The websocket of the Kalshi door, on an HTTP server that is there already. The world is heard only while somebody is connected. */
export class SocketDoor {
  readonly #options: SocketDoorOptions;
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES });
  readonly #sessions = new Map<WebSocket, KalshiSession>();
  readonly #heartbeat: NodeJS.Timeout;
  #stopListening: (() => void) | undefined;

  constructor(server: Server, options: SocketDoorOptions) {
    this.#options = options;
    server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgrade(request, socket, head);
    });
    this.#heartbeat = setInterval(() => {
      for (const socket of this.#sessions.keys()) socket.ping("heartbeat");
    }, options.heartbeat_ms);
  }

  close(): void {
    clearInterval(this.#heartbeat);
    this.#stopListening?.();
    for (const socket of this.#sessions.keys()) socket.terminate();
    this.#sockets.close();
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // The client may be gone before the answer; there is nobody left to tell.
    socket.on("error", () => socket.destroy());
    const url = request.url ?? "";
    if (url.split("?")[0] !== PATH) return refuse(socket, 404, "not_found", "not found");
    const signed = verifySignature(
      { method: "GET", url, headers: request.headers },
      this.#options.keys,
      this.#options.wall(),
    );
    if (signed === undefined) {
      return refuse(socket, 401, "token_authentication_failure", "token authentication failure");
    }
    if (this.#options.tap?.takes(request, socket)) return;
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      this.#options.tap?.connected(client);
      this.#connect(client);
    });
  }

  #connect(client: WebSocket): void {
    const session = new KalshiSession(this.#options.context, client);
    this.#sessions.set(client, session);
    this.#stopListening ??= this.#options.context.world.on((happening) => this.#hear(happening));
    client.on("message", (data, binary) => {
      if (!binary) session.receive(data.toString());
    });
    client.on("error", () => client.terminate());
    client.on("close", () => {
      this.#sessions.delete(client);
      if (this.#sessions.size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    });
  }

  #hear(happening: Happening): void {
    if (happening.kind !== "kalshi_book") return;
    for (const session of this.#sessions.values()) session.hear(happening);
  }
}

function refuse(socket: Duplex, status: number, code: string, message: string): void {
  const body = JSON.stringify({ error: { code, message } });
  const reason = status === 401 ? "Unauthorized" : "Not Found";
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
