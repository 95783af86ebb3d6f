import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";

export type Stopping = {
  /** Nothing new is answered. */
  readonly hasBegun: () => boolean;
  /** What was in flight still is cut. */
  readonly hasCut: () => boolean;
};

/** What a caller sends right after it connected has come by then. */
const SILENT_MS = 200;

/**
 * Makes `close()` graceful: what is in flight may finish for so long, then every connection is cut. Who connected and has
 * sent nothing is not waited for: browsers and pools of connections open some in advance.
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
