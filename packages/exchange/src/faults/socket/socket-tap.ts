import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** What stands between a websocket door and its clients. */
export interface SocketTap {
  /** True when the handshake was answered (or left unanswered) here. */
  takes(request: IncomingMessage, socket: Duplex): boolean;
  /** A connection is open: from now on what is sent on it goes through the tap. */
  connected(client: WebSocket): void;
}
