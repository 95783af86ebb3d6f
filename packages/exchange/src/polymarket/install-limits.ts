import type { FastifyInstance, FastifyReply } from "fastify";
import { slidingWindow, type WindowRule } from "./sliding-window.ts";

/** Clock for counting requests, and how a rejected one is answered. */
export interface LimitSettings {
  rules: readonly WindowRule[];
  /** Wall clock in ms: limits apply to network time, not to world time. */
  wall: () => number;
  /** Sends the 429. The wait is in whole seconds. */
  refuse: (reply: FastifyReply, retryAfterSeconds: number) => FastifyReply;
}

/** Rejects requests over a host's limits. (The real edge first delays them and rejects only sustained excess.) */
export function installLimits(app: FastifyInstance, settings: LimitSettings): void {
  const admit = slidingWindow(settings.rules);
  app.addHook("onRequest", async (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? request.url;
    const admitted = admit(path, settings.wall());
    if (!admitted.ok) await settings.refuse(reply, Math.ceil(admitted.retry_after_ms / 1000));
  });
}

/** Response of the edge in front of Gamma and the CLOB: plain text and no Retry-After. */
export function refuseAtEdge(reply: FastifyReply): FastifyReply {
  return reply.code(429).type("text/plain").send("error code: 1015");
}
