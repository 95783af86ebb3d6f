import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

export type Stopping = {
  /** Whether new requests are refused. */
  readonly hasBegun: () => boolean;
  /** Whether requests still in flight were cut. */
  readonly hasCut: () => boolean;
};

/** By then the data a client sends right after connecting has arrived. */
const SILENT_MS = 200;

/**
 * Makes `close()` graceful: requests in flight may finish within `stopTimeoutMs`, then every connection is cut. It does
 * not wait for connections without data: browsers and connection pools open some in advance.
 */
export function addStopping(app: FastifyInstance, stopTimeoutMs: number): Stopping {
  let hasBegun = false;
  let hasCut = false;
  let timers: NodeJS.Timeout[] = [];
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const closeSilent = (): void => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const cut = (): void => {
    hasCut = true;
    app.server.closeAllConnections();
  };
  app.addHook("preClose", async () => {
    hasBegun = true;
    timers = [setTimeout(closeSilent, SILENT_MS), setTimeout(cut, stopTimeoutMs)];
  });
  app.addHook("onClose", async () => {
    for (const timer of timers) clearTimeout(timer);
  });
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (hasBegun) reply.header("connection", "close");
    done(null, payload);
  });
  return { hasBegun: () => hasBegun, hasCut: () => hasCut };
}
