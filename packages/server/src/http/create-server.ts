import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { addConsoleRoutes } from "./console/add-console-routes.ts";
import { createApi } from "./create-api.ts";
import { addHealthRoutes } from "./health-routes.ts";
import { createPages, sendPage } from "./pages/create-pages.ts";
import type { ServerOptions } from "./server-options.ts";
import { createDocs } from "./docs/create-docs.ts";
import type { PageFile } from "./pages/page-file.ts";
import { PAGE_POLICY } from "./security-headers.ts";
import type { Registry } from "prom-client";
import type { ExampleValues } from "../definition/example-values.ts";
import { keepExampleValues } from "../query/find-example-values.ts";

/**
 * The HTTP server, not yet listening. Further routes may be registered before `listen`; `close()` refuses new requests,
 * finishes those in flight within `stopTimeoutMs` and closes every connection.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const pages = createPages(options.pages);
  const { app, asking, isStopping } = createApi({ ...options, pageInstead: pages.instead });
  const { catalogue, console, operator, publicUrl } = options;
  const exampleValues = keepExampleValues(options.ask, options.clock);
  if (console !== undefined)
    addConsoleRoutes(app, { ...asking, console, publicUrl, catalogue, operator, exampleValues });
  addHealthRoutes(app, options, isStopping);
  addDocuments(app, options, exampleValues);
  pages.addRoutes(app);
  return app;
}

/**
 * Adds the documents made from the definitions: openapi.json and the pages under /docs, with examples from this
 * service's data.
 */
function addDocuments(
  app: FastifyInstance,
  { catalogue, publicUrl }: ServerOptions,
  exampleValues: () => Promise<ExampleValues>,
): void {
  for (const { path, file } of createDocs(catalogue, publicUrl)) {
    app.get(path, async (request, reply) => send(await file(exampleValues), request, reply));
  }
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const headers = {
    "cache-control": "public, max-age=300",
    ...(file.type.startsWith("text/html") ? { "content-security-policy": PAGE_POLICY } : {}),
  };
  return sendPage(file, headers, request, reply);
}

/** GET /metrics in Prometheus' text format, for a separate port that serves nothing else. */
export function createMetricsServer(registry: Registry): FastifyInstance {
  const app = fastify({ logger: false, requestTimeout: 10_000, keepAliveTimeout: 30_000 });
  app.get("/metrics", async (_request, reply) => {
    const text = await registry.metrics();
    return reply.header("content-type", registry.contentType).header("cache-control", "no-store").send(text);
  });
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).type("text/plain").send("only GET /metrics is served here\n"),
  );
  return app;
}
