import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { Socket } from "node:net";
import type { FaultEndpoint } from "../fault-endpoint.ts";
import { endpointError, edgePage } from "../http/endpoint-error.ts";
import type { Storm } from "../storm.ts";

/** Intercepts traffic between a websocket endpoint and its clients. */
export interface SocketTap {
  /** Returns true if the tap handled the handshake (or left it unanswered). */
  takes(request: IncomingMessage, socket: Duplex): boolean;
  /** Called when a connection opens; everything sent on it then passes through the tap. */
  connected(client: WebSocket): void;
}

/** Lets a fault answer a websocket handshake. False if none applies. */
export function takeHandshake(
  request: IncomingMessage,
  socket: Duplex,
  endpoint: FaultEndpoint,
  storm: Storm,
): boolean {
  const url = request.url ?? "/";
  const hit = storm.strike(["reset", "hang", "refuse", "fail"], endpoint, url);
  if (hit === undefined) return false;
  const { fault } = hit;
  hit.landed();
  // The client may disconnect before the response is written; the error can be ignored.
  socket.on("error", () => socket.destroy());
  if (fault.kind === "reset") reset(socket);
  else if (fault.kind === "hang") {
    const stop = storm.onTick(() => {
      if (hit.isOver()) socket.destroy();
    });
    socket.once("close", stop);
  } else {
    const status = fault.kind === "refuse" ? 429 : hit.draw.pick(fault.statuses);
    const isPage = fault.kind === "fail" && fault.html;
    const { type, body } = isPage ? edgePage(status) : endpointError(endpoint, status, url);
    const after = fault.retry_after_seconds;
    const wait = after === undefined ? "" : `Retry-After: ${after}\r\n`;
    socket.end(
      `HTTP/1.1 ${status} Refused\r\nContent-Type: ${type}\r\n${wait}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  }
  return true;
}

function reset(socket: Duplex): void {
  if (socket instanceof Socket) socket.resetAndDestroy();
  else socket.destroy();
}
