import type { FastifyReply, FastifyRequest } from "fastify";
import { matchesEtag } from "../etag.ts";
import { negotiateEncoding } from "../negotiate-encoding.ts";
import type { PageFile } from "./page-file.ts";

/** `headers` are sent with the file and with "not modified" alike. */
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
  request.visit.bytes = body.length;
  return reply.header("content-type", page.type).send(body);
}
