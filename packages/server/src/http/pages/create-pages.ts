import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { html } from "../html.ts";
import { APP_POLICY, PAGE_POLICY } from "../security-headers.ts";
import { type PageFile, toPageFile } from "./page-file.ts";
import { readWeightedList, matchesEtag, negotiateEncoding } from "../negotiation.ts";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Paths of APIs or of the documentation: an unknown one is 404, not the dashboard. */
const NOT_PAGES = /^\/(?:api|docs|assets|mcp|stream|health|ready|metrics|openapi\.json)(?:\/|$)/;

/** Whether a browser requests one of the dashboard's own addresses: GET, and text/html by name. */
function asksForPage(method: string, url: string, accept: string | undefined): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  const path = url.split("?", 1)[0] ?? "";
  if (NOT_PAGES.test(path) || /\/\.|\.\.|%2e|%00|\\/i.test(path)) return false;
  return readWeightedList(accept ?? "").some(({ name, weight }) => name === "text/html" && weight > 0);
}

const INDEX = "/index.html";
const YEAR = "public, max-age=31536000, immutable";

export type Pages = {
  /** Adds a route for each file, and index.html at /. Without a built dashboard, / says how to build it. */
  readonly addRoutes: (app: FastifyInstance) => void;
  /** Answers a path that only the dashboard's router knows; false for any other request. */
  readonly instead: (request: FastifyRequest, reply: FastifyReply) => boolean;
};

/** Serves the dashboard from its files: an empty list if it is not built, undefined for a server without one. */
export function createPages(files: readonly PageFile[] | undefined): Pages {
  const index = files?.find((file) => file.path === INDEX);
  return {
    addRoutes: (app) => {
      if (files === undefined) return;
      if (index === undefined) return void app.get("/", sendNotBuilt);
      for (const file of files) {
        app.get(file === index ? "/" : file.path, (request, reply) => send(file, request, reply));
      }
    },
    instead: (request, reply) => {
      if (index === undefined || !asksForPage(request.method, request.url, request.headers.accept)) return false;
      void send(index, request, reply);
      return true;
    },
  };
}

function sendNotBuilt(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.code(404).header("content-security-policy", PAGE_POLICY).header("cache-control", "no-store");
  return reply.type("text/html; charset=utf-8").send(NOT_BUILT.html);
}

function send(page: PageFile, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const headers = {
    "cache-control": page.isHashed ? YEAR : "no-cache",
    ...(page.type.startsWith("text/html")
      ? { "content-security-policy": APP_POLICY, "cross-origin-opener-policy": "same-origin" }
      : {}),
  };
  return sendPage(page, headers, request, reply);
}

const NOT_BUILT = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>Almanac</title>
      <link rel="stylesheet" href="/docs/docs.css" />
    </head>
    <body>
      <main>
        <h1>The dashboard is not built</h1>
        <p>
          Run <code>npm run dashboard</code> in the repository and start the service again. <code>npm start</code> and
          <code>npm run demo</code> do it automatically.
        </p>
        <p>The service itself answers: <a href="/docs">reference</a>, <a href="/openapi.json">openapi.json</a>.</p>
      </main>
    </body>
  </html> `;

/** Reads the built dashboard; empty if `folder` has no index.html. Read once: a later build needs a restart. */
export function readPages(folder: string): readonly PageFile[] {
  if (!existsSync(join(folder, "index.html"))) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => toPageFile(`/${relative(folder, file).split(sep).join("/")}`, readFileSync(file)))
    .filter((page) => page !== undefined);
}

/** `headers` are sent both with the file and with "not modified". */
export async function sendPage(
  page: PageFile,
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.headers(headers).header("etag", page.etag).header("vary", "accept-encoding");
  if (matchesEtag(request.headers["if-none-match"], page.etag)) return reply.code(304).send();
  const coding = page.isPacked ? undefined : negotiateEncoding(request.headers["accept-encoding"], ["br", "gzip"]);
  const body = await page.body(coding);
  if (coding !== undefined) reply.header("content-encoding", coding);
  request.state.bytes = body.length;
  return reply.header("content-type", page.type).send(body);
}
