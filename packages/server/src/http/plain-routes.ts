import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { ERRORS, type ErrorCode } from "../definition/errors.ts";
import { datasetPage } from "./docs/dataset-page.ts";
import { errorPage } from "./docs/error-page.ts";
import { indexPage } from "./docs/index-page.ts";
import { STYLE } from "./docs/style.ts";
import { matchesEtag } from "./etag.ts";
import { openapi } from "./openapi/openapi.ts";
import { PAGE_POLICY } from "./security-headers.ts";
import type { ServerOptions } from "./server-options.ts";

const HTML = "text/html; charset=utf-8";

/** What is made once from the definitions and served as it is: openapi.json and the pages under /docs. */
export function addPlainRoutes(app: FastifyInstance, { catalogue, publicUrl }: ServerOptions): void {
  addPlain(app, "/openapi.json", "application/json; charset=utf-8", JSON.stringify(openapi(catalogue, publicUrl)));
  addPlain(app, "/docs", HTML, indexPage(catalogue, publicUrl));
  addPlain(app, "/docs/style.css", "text/css; charset=utf-8", STYLE);
  for (const dataset of catalogue)
    addPlain(app, `/docs/datasets/${dataset.name}`, HTML, datasetPage(dataset, publicUrl));
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    addPlain(app, `/docs/errors/${code.toLowerCase().replaceAll("_", "-")}`, HTML, errorPage(code));
  }
}

function addPlain(app: FastifyInstance, path: string, type: string, text: string): void {
  const body = Buffer.from(text);
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  app.get(path, (request, reply) => {
    reply.header("etag", etag).header("cache-control", "public, max-age=300");
    if (type === HTML) reply.header("content-security-policy", PAGE_POLICY);
    if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
    request.visit.bytes = body.length;
    return reply.header("content-type", type).send(body);
  });
}
