import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** Intercepts traffic between a websocket endpoint and its clients. */
export interface SocketTap {
  /** Returns true if the tap handled the handshake (or left it unanswered). */
  takes(request: IncomingMessage, socket: Duplex): boolean;
  /** Called when a connection opens; everything sent on it then passes through the tap. */
  connected(client: WebSocket): void;
}
