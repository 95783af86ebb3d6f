import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { createDocs } from "./docs/create-docs.ts";
import { matchesEtag } from "./etag.ts";
import { negotiateEncoding } from "./negotiate-encoding.ts";
import { openapi } from "./openapi/openapi.ts";
import { toPageFile, type PageFile } from "./pages/page-file.ts";
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

async function send(file: PageFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.header("etag", file.etag).header("cache-control", "public, max-age=300").header("vary", "accept-encoding");
  if (file.type.startsWith("text/html")) reply.header("content-security-policy", PAGE_POLICY);
  if (matchesEtag(request.headers["if-none-match"], file.etag)) return reply.code(304).send();
  const coding = file.isPacked ? undefined : negotiateEncoding(request.headers["accept-encoding"], ["br", "gzip"]);
  const body = await file.body(coding);
  if (coding !== undefined) reply.header("content-encoding", coding);
  request.visit.bytes = body.length;
  return reply.header("content-type", file.type).send(body);
}
