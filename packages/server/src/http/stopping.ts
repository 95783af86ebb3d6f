import type { FastifyInstance } from "fastify";

/**
 * Makes `close()` graceful: what is in flight may finish for so long, then every connection is cut.
 * Returns whether the stop has begun.
 */
export function addStopping(app: FastifyInstance, stopTimeoutMs: number): () => boolean {
  let isStopping = false;
  let cut: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    isStopping = true;
    cut = setTimeout(() => app.server.closeAllConnections(), stopTimeoutMs);
  });
  app.addHook("onClose", async () => clearTimeout(cut));
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (isStopping) reply.header("connection", "close");
    done(null, payload);
  });
  return () => isStopping;
}
