import fastify, { type FastifyInstance } from "fastify";
import type { Registry } from "prom-client";

/** GET /metrics in Prometheus' text form, for a port of its own; nothing else is answered there. */
export function createMetricsServer(registry: Registry): FastifyInstance {
  const app = fastify({ logger: false, requestTimeout: 10_000, keepAliveTimeout: 30_000 });
  app.get("/metrics", async (_request, reply) => {
    const text = await registry.metrics();
    return reply.header("content-type", registry.contentType).header("cache-control", "no-store").send(text);
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain").send("only GET /metrics is here\n"));
  return app;
}
