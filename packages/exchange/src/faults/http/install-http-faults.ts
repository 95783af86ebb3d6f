import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from "fastify";
import type { FaultEndpoint } from "../fault-endpoint.ts";
import type { FaultOf } from "../fault.ts";
import { skewStamps, driftRow } from "../alter-json.ts";
import type { Hit, Storm } from "../storm.ts";
import { answerInstead, INSTEAD } from "./answer-instead.ts";
import { requestedPath, INNER_HEADER, listingOf } from "./listing.ts";
import { PageMemory } from "./page-memory.ts";
import { turnPage } from "./turn-page.ts";
import { isJsonObject, readJson, atPath } from "../json-object.ts";
import type { Rng } from "../../world/core/rng.ts";

/** Installs faults between an endpoint's routes and its clients; call it before anything else is mounted. */
export function installHttpFaults(
  app: FastifyInstance,
  endpoint: FaultEndpoint,
  storm: Storm,
  wall: () => number,
): void {
  const memory = new PageMemory();
  const before: preHandlerHookHandler & onRequestHookHandler = (request, reply, done) => {
    if (!storm.isSet || request.headers[INNER_HEADER] !== undefined) return done();
    const path = requestedPath(endpoint, request);
    shortenPages(request, storm, endpoint, path);
    const slow = storm.strike(["slow"], endpoint, path);
    const go = (): void => {
      const hit = reply.raw.destroyed ? undefined : storm.strike(INSTEAD, endpoint, path);
      if (hit === undefined) done();
      else answerInstead(hit, { endpoint, storm, request, reply });
    };
    if (slow === undefined) return go();
    slow.landed();
    const { delay_ms, jitter_ms } = slow.fault;
    setTimeout(go, Math.max(0, delay_ms + slow.draw.between(-jitter_ms, jitter_ms)));
  };
  // The method of a JSON-RPC request is in its parsed body.
  if (endpoint === "rpc") app.addHook("preHandler", before);
  else app.addHook("onRequest", before);
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    if (!storm.isSet || request.headers[INNER_HEADER] !== undefined) return payload;
    const path = requestedPath(endpoint, request);
    const skew = storm.strike(["skew"], endpoint, path);
    if (skew !== undefined) skewDate(reply, skew, wall);
    if (typeof payload !== "string" || reply.statusCode !== 200 || !isJson(reply)) return payload;
    const altered = await alter({ app, storm, endpoint, memory }, request, payload, skew);
    const half = storm.strike(["half_body"], endpoint, path);
    // The CDN caches the endpoint's response, not the altered one.
    if (altered !== payload || half !== undefined) void reply.header("x-cache", "Miss from cloudfront");
    if (half === undefined) return altered;
    half.landed();
    sendHalf(reply, altered);
    // Never resolves, because the response has already been sent.
    return new Promise<never>(() => undefined);
  });
}

type Book = Parameters<typeof turnPage>[0];

async function alter(
  book: Book,
  request: FastifyRequest,
  payload: string,
  skew: Hit<FaultOf<"skew">> | undefined,
): Promise<string> {
  const { storm, endpoint } = book;
  const path = requestedPath(endpoint, request);
  const page = (endpoint === "rpc" ? undefined : await turnPage(book, request, payload)) ?? payload;
  if (storm.active(["shuffle", "duplicate_rows", "drift", "skew"], endpoint).length === 0) return page;
  // GDELT sometimes sends invalid JSON.
  const body = readJson(page);
  if (body === undefined) return page;
  const isSkewed =
    skew !== undefined && isStamped(endpoint, path) && skewStamps(body, endpoint, skew.fault.offset_seconds);
  const isAltered =
    endpoint === "rpc" ? alterResults(body, request.body, storm) : alterPage(body, storm, endpoint, path);
  return isAltered || isSkewed ? JSON.stringify(body) : page;
}

function skewDate(reply: FastifyReply, hit: Hit<FaultOf<"skew">>, wall: () => number): void {
  void reply.header("date", new Date(wall() + hit.fault.offset_seconds * 1000).toUTCString());
  hit.landed();
}

/** Responses that contain the server's timestamp. */
function isStamped(endpoint: FaultEndpoint, path: string): boolean {
  return endpoint === "clob" && path === "/books";
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("application/json");
}

/**
 * Sends the headers of the full response and the first half of its body, then closes the connection. Nothing may be
 * sent afterwards.
 */
function sendHalf(reply: FastifyReply, body: string): void {
  const bytes = Buffer.from(body);
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(reply.statusCode, { "content-length": bytes.length });
  raw.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => raw.destroy());
}

/**
 * Reduces the page size of a request for a listing with a cursor or page numbers to the `page_rows` of an active page
 * fault.
 */
function shortenPages({ query }: FastifyRequest, storm: Storm, endpoint: FaultEndpoint, path: string): void {
  const running = storm
    .active(["repeat_page", "skip_page"], endpoint, path)
    .find(({ fault }) => fault.page_rows !== undefined);
  const most = running?.fault.page_rows;
  const listing = listingOf(endpoint, path);
  const isTurned = listing?.cursor !== undefined || listing?.page !== undefined;
  if (most === undefined || !isTurned || !isJsonObject(query)) return;
  const { parameter, least } = listing.limit ?? { parameter: "limit", least: 1 };
  const requested = Number(query[parameter] ?? Infinity);
  if (requested > most) query[parameter] = String(Math.max(least, most));
}

/**
 * Alters the rows of a parsed response, in place. A response without rows counts as one row. False if nothing was
 * changed.
 */
function alterPage(body: unknown, storm: Storm, endpoint: FaultEndpoint, path: string): boolean {
  const rows = atPath(body, listingOf(endpoint, path)?.rows ?? "");
  return Array.isArray(rows) ? alterRows(rows, storm, endpoint, path) : alterRows([body], storm, endpoint, path);
}

/** The same for JSON-RPC: alters the result of each response of a batch, by the requested method. */
function alterResults(body: unknown, requested: unknown, storm: Storm): boolean {
  const answers = Array.isArray(body) ? (body as unknown[]) : [body];
  const requests = Array.isArray(requested) ? (requested as unknown[]) : [requested];
  return answers
    .map((answer, place) => {
      const request = requests[place];
      if (!isJsonObject(answer) || !isJsonObject(request) || !("result" in answer)) return false;
      const rows = Array.isArray(answer["result"]) ? (answer["result"] as unknown[]) : [answer["result"]];
      return alterRows(rows, storm, "rpc", String(request["method"]));
    })
    .some(Boolean);
}

/** Reorders rows, duplicates them and changes their fields, in place. False if nothing was changed. */
function alterRows(rows: unknown[], storm: Storm, endpoint: FaultEndpoint, path: string): boolean {
  return [
    shuffle(rows, storm, endpoint, path),
    double(rows, storm, endpoint, path),
    drift(rows, storm, endpoint, path),
  ].some(Boolean);
}

function shuffle(rows: unknown[], storm: Storm, endpoint: FaultEndpoint, path: string): boolean {
  const hit = rows.length < 2 ? undefined : storm.strike(["shuffle"], endpoint, path);
  if (hit === undefined) return false;
  shuffleRows(rows, hit.draw);
  hit.landed();
  return true;
}

function double(rows: unknown[], storm: Storm, endpoint: FaultEndpoint, path: string): boolean {
  const hit = rows.length === 0 ? undefined : storm.strike(["duplicate_rows"], endpoint, path);
  if (hit === undefined) return false;
  const before = rows.length;
  const made = rows.flatMap((row) => (hit.draw.chance(hit.fault.rows_share) ? [row, structuredClone(row)] : [row]));
  rows.splice(0, before, ...made);
  if (made.length === before) return false;
  hit.landed();
  return true;
}

/** Tries every drift fault, because each has its own field; of two for one field the first that changes it counts. */
function drift(rows: unknown[], storm: Storm, endpoint: FaultEndpoint, path: string): boolean {
  const fields = new Set<string>();
  for (const running of storm.active(["drift"], endpoint, path)) {
    if (fields.has(running.fault.field)) continue;
    const hit = storm.hit(running, endpoint);
    if (!hit.draw.chance(hit.fault.share)) continue;
    const changed = rows.filter((row) => hit.draw.chance(hit.fault.rows_share) && driftRow(row, hit.fault));
    if (changed.length === 0) continue;
    hit.landed();
    fields.add(hit.fault.field);
  }
  return fields.size > 0;
}

/** Shuffles a list in place; a list of two or more never keeps its order. */
function shuffleRows(rows: unknown[], draw: Rng): void {
  for (let last = rows.length - 1; last > 0; last -= 1) {
    // Never its own index (Sattolo): every row moves.
    const other = draw.below(last);
    [rows[last], rows[other]] = [rows[other], rows[last]];
  }
}
