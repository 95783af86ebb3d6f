import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { WebSocket, WebSocketServer } from "ws";
import type { SocketTap } from "./faults/socket/socket-tap.ts";

/**
 * Passes websocket handshakes on `path` of the app's server to `sockets`, and closes them with the app. Other paths get
 * 404. A `socketTap` decorator can intercept the traffic.
 */
export function mountSocket(app: FastifyInstance, path: string, sockets: WebSocketServer): void {
  const tap = app.hasDecorator("socketTap") ? app.getDecorator<SocketTap>("socketTap") : undefined;
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const requested = (request.url ?? "/").split("?", 1)[0];
    if (requested === path) {
      if (tap?.takes(request, socket)) return;
      sockets.handleUpgrade(request, socket, head, (client) => {
        tap?.connected(client);
        sockets.emit("connection", client, request);
      });
    } else if (app.server.listenerCount("upgrade") === 1) {
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
    }
  };
  app.server.on("upgrade", upgrade);
  app.addHook("preClose", async () => {
    app.server.off("upgrade", upgrade);
    for (const client of sockets.clients) client.terminate();
    sockets.close();
  });
}

/**
 * Creates a client per connection; runs `tell` when the first connection opens, and the function it returns when the
 * last one closes.
 */
export function followClients<Client>(
  server: WebSocketServer,
  open: (socket: WebSocket, request: IncomingMessage) => Client,
  publish: (clients: ReadonlySet<Client>) => () => void,
): void {
  const clients = new Set<Client>();
  let end: (() => void) | undefined;
  server.on("connection", (socket, request) => {
    const client = open(socket, request);
    clients.add(client);
    end ??= publish(clients);
    socket.on("error", () => socket.terminate());
    socket.on("close", () => {
      clients.delete(client);
      if (clients.size > 0) return;
      end?.();
      end = undefined;
    });
  });
}
