import type { FastifyInstance } from "fastify";

export type Stopping = {
  /** Nothing new is answered. */
  readonly hasBegun: () => boolean;
  /** What was in flight still is cut. */
  readonly hasCut: () => boolean;
};

/** Makes `close()` graceful: what is in flight may finish for so long, then every connection is cut. */
export function addStopping(app: FastifyInstance, stopTimeoutMs: number): Stopping {
  let hasBegun = false;
  let hasCut = false;
  let timer: NodeJS.Timeout | undefined;
  const cut = (): void => {
    hasCut = true;
    app.server.closeAllConnections();
  };
  app.addHook("preClose", async () => {
    hasBegun = true;
    timer = setTimeout(cut, stopTimeoutMs);
  });
  app.addHook("onClose", async () => clearTimeout(timer));
  app.addHook("onSend", (_request, reply, payload, done) => {
    if (hasBegun) reply.header("connection", "close");
    done(null, payload);
  });
  return { hasBegun: () => hasBegun, hasCut: () => hasCut };
}
