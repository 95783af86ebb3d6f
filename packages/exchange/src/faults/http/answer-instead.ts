import type { FastifyReply, FastifyRequest } from "fastify";
import type { FaultEndpoint } from "../fault-endpoint.ts";
import type { FaultOf } from "../fault.ts";
import type { Hit, Storm } from "../storm.ts";
import { challengePage, endpointError, edgePage, type ErrorAnswer } from "./endpoint-error.ts";

/** Kinds that replace the response. */
export const INSTEAD = ["reset", "hang", "refuse", "fail", "garbage"] as const;

type Instead = Hit<FaultOf<(typeof INSTEAD)[number]>>;

interface Place {
  endpoint: FaultEndpoint;
  storm: Storm;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Sends the fault's response instead of the real one, or none at all. */
export function answerInstead(hit: Instead, place: Place): void {
  const { fault } = hit;
  hit.landed();
  if (fault.kind === "reset") return drop(place);
  if (fault.kind === "hang") return hang(hit, place);
  if ("retry_after_seconds" in fault) void place.reply.header("retry-after", String(fault.retry_after_seconds));
  send(place, answerOf(hit, place));
}

function answerOf({ fault, draw }: Instead, { endpoint, request }: Place): ErrorAnswer {
  if (fault.kind === "refuse")
    return fault.rpc_as === "json_rpc" ? limitExceeded(request) : endpointError(endpoint, 429, request.url);
  if (fault.kind !== "fail") return challengePage();
  const status = draw.pick(fault.statuses);
  return fault.html ? edgePage(status) : endpointError(endpoint, status, request.url);
}

function send({ endpoint, reply }: Place, { status, type, body }: ErrorAnswer): void {
  // The CDN generates this response itself and does not cache it.
  if (endpoint === "data") void reply.header("x-cache", "Error from cloudfront");
  void reply.code(status).type(type).send(body);
}

function drop({ request, reply }: Place): void {
  reply.hijack();
  request.raw.socket.resetAndDestroy();
}

/** Keeps the request open until the fault ends or the client disconnects. */
function hang(hit: Hit, { storm, request, reply }: Place): void {
  reply.hijack();
  const stop = storm.onTick(() => {
    if (hit.isOver()) request.raw.socket.destroy();
  });
  request.raw.socket.once("close", stop);
}

/** HTTP 200 with -32005 for each request of the body, as nodes behind a gateway respond. */
function limitExceeded(request: FastifyRequest): ErrorAnswer {
  const body = Array.isArray(request.body) ? request.body.map(overLimit) : overLimit(request.body);
  return { status: 200, type: "application/json", body: JSON.stringify(body) };
}

function overLimit(requested: unknown): object {
  const id = (requested as { id?: unknown } | null)?.id ?? null;
  return { jsonrpc: "2.0", id, error: { code: -32005, message: "limit exceeded" } };
}
