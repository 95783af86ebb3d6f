import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../query/answer.ts";
import { compress } from "./compress.ts";
import { envelope } from "./envelope.ts";
import { etagOf, matchesEtag } from "./etag.ts";
import { headerText } from "./header-text.ts";
import { negotiateEncoding } from "./negotiate-encoding.ts";

const TEXTUAL: ReadonlySet<Answer["format"]> = new Set(["raw", "typed", "csv", "ndjson"]);

/** Sends a page: the envelope around its rows, or the document with the envelope's facts in headers; 304 where the caller has it. */
export async function sendAnswer(
  answer: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
  how: { readonly now: number; readonly compressAboveBytes: number },
): Promise<FastifyReply> {
  const { visit } = request;
  const isDocument = answer.format !== "raw" && answer.format !== "typed";
  const etag = etagOf(answer);
  reply.header("etag", etag);
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "accept, accept-encoding, authorization");
  reply.header("x-almanac-coverage", answer.coverage.complete ? "complete" : "partial");
  if (isDocument) addFacts(answer, reply);
  if (matchesEtag(request.headers["if-none-match"], etag)) return reply.code(304).send();
  visit.rows = answer.rowCount;
  const plain = isDocument ? answer.body : envelope(answer, new Date(how.now).toISOString(), request.id);
  const encoding =
    plain.length > how.compressAboveBytes && TEXTUAL.has(answer.format)
      ? negotiateEncoding(request.headers["accept-encoding"])
      : undefined;
  const body = encoding === undefined ? plain : await compress(plain, encoding);
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  visit.bytes = body.length;
  return reply.code(200).header("content-type", answer.contentType).send(body);
}

function addFacts(answer: Answer, reply: FastifyReply): void {
  reply.header("x-almanac-has-more", String(answer.hasMore));
  if (answer.nextCursor !== null) reply.header("x-almanac-next-cursor", headerText(answer.nextCursor));
  if (answer.coverage.reasons.length > 0) {
    reply.header("x-almanac-coverage-reasons", headerText(answer.coverage.reasons.join(" ")));
  }
  if (answer.warnings.length > 0) reply.header("x-almanac-warnings", headerText(answer.warnings.join(" ")));
}
