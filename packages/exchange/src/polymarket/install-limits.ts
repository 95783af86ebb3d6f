import type { FastifyInstance, FastifyReply } from "fastify";
import { slidingWindow, type WindowRule } from "./sliding-window.ts";

/** Who counts requests, and how a refused one is answered. */
export interface LimitSettings {
  rules: readonly WindowRule[];
  /** Wall clock in ms: limits are those of the network, not of the world. */
  wall: () => number;
  /** Sends the 429. The wait is in whole seconds. */
  refuse: (reply: FastifyReply, retryAfterSeconds: number) => FastifyReply;
}

/** Refuses what goes over the limits of a host. (The real edge delays a while first; sustained excess is refused.) */
export function installLimits(app: FastifyInstance, settings: LimitSettings): void {
  const admit = slidingWindow(settings.rules);
  app.addHook("onRequest", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? request.url;
    const admitted = admit(path, settings.wall());
    if (!admitted.ok) await settings.refuse(reply, Math.ceil(admitted.retry_after_ms / 1000));
  });
}

/** The page of the edge before Gamma and the CLOB: plain text and no Retry-After. */
export function refuseAtEdge(reply: FastifyReply): FastifyReply {
  return reply.code(429).type("text/plain").send("error code: 1015");
}
