import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createDocs } from "./docs/create-docs.ts";
import { openapi } from "./openapi/openapi.ts";
import { toPageFile, type PageFile } from "./pages/page-file.ts";
import { sendPage } from "./pages/send-page.ts";
import { PAGE_POLICY } from "./security-headers.ts";
import type { ServerOptions } from "./server-options.ts";

/** What is made from the definitions and served as it is: openapi.json and the pages under /docs. */
export function addPlainRoutes(app: FastifyInstance, { catalogue, publicUrl }: ServerOptions): void {
  const document = openapi(catalogue, publicUrl);
  const described = toPageFile("/openapi.json", Buffer.from(JSON.stringify(document)));
  if (described) app.get(described.path, (request, reply) => send(described, request, reply));
  for (const { path, file } of createDocs({ catalogue, openapi: document, publicUrl })) {
    app.get(path, (request, reply) => send(file(), request, reply));
  }
}

function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const headers = {
    "cache-control": "public, max-age=300",
    ...(file.type.startsWith("text/html") ? { "content-security-policy": PAGE_POLICY } : {}),
  };
  return sendPage(file, headers, request, reply);
}
