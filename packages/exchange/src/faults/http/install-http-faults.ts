import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  preHandlerHookHandler,
} from "fastify";
import type { FaultDoor } from "../fault-door.ts";
import type { FaultOf } from "../fault.ts";
import { skewStamps } from "../skew-stamps.ts";
import type { Hit, Storm } from "../storm.ts";
import { alterPage, alterResults } from "./alter-page.ts";
import { answerInstead, INSTEAD } from "./answer-instead.ts";
import { askedPath, INNER_HEADER } from "./asked.ts";
import { PageMemory } from "./page-memory.ts";
import { sendHalf } from "./send-half.ts";
import { shortenPages } from "./shorten-pages.ts";
import { turnPage } from "./turn-page.ts";

/** Puts faults between the routes of a door and its clients: call it before anything else is mounted. */
export function installHttpFaults(app: FastifyInstance, door: FaultDoor, storm: Storm, wall: () => number): void {
  const memory = new PageMemory();
  const before: preHandlerHookHandler & onRequestHookHandler = (request, reply, done) => {
    if (!storm.isSet || request.headers[INNER_HEADER] !== undefined) return done();
    const path = askedPath(door, request);
    shortenPages(request, storm, door, path);
    const slow = storm.strike(["slow"], door, path);
    const go = (): void => {
      const hit = reply.raw.destroyed ? undefined : storm.strike(INSTEAD, door, path);
      if (hit === undefined) done();
      else answerInstead(hit, { door, storm, request, reply });
    };
    if (slow === undefined) return go();
    slow.landed();
    const { delay_ms, jitter_ms } = slow.fault;
    setTimeout(go, Math.max(0, delay_ms + slow.draw.between(-jitter_ms, jitter_ms)));
  };
  // What a JSON-RPC request asks for is in its body.
  if (door === "rpc") app.addHook("preHandler", before);
  else app.addHook("onRequest", before);
  app.addHook("onSend", async (request, reply, payload: unknown) => {
    if (!storm.isSet || request.headers[INNER_HEADER] !== undefined) return payload;
    const path = askedPath(door, request);
    const skew = storm.strike(["skew"], door, path);
    if (skew !== undefined) skewDate(reply, skew, wall);
    if (typeof payload !== "string" || reply.statusCode !== 200 || !isJson(reply)) return payload;
    const altered = await alter({ app, storm, door, memory }, request, payload, skew);
    const half = storm.strike(["half_body"], door, path);
    // The CDN keeps what the door said, not what became of it on the way.
    if (altered !== payload || half !== undefined) void reply.header("x-cache", "Miss from cloudfront");
    if (half === undefined) return altered;
    half.landed();
    sendHalf(reply, altered);
    // What has been sent already is not to be sent by anybody else.
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
  const { storm, door } = book;
  const path = askedPath(door, request);
  const page = (door === "rpc" ? undefined : await turnPage(book, request, payload)) ?? payload;
  if (storm.active(["shuffle", "duplicate_rows", "drift", "skew"], door).length === 0) return page;
  const body = parsed(page);
  if (body === undefined) return page;
  const isSkewed = skew !== undefined && isStamped(door, path) && skewStamps(body, door, skew.fault.offset_seconds);
  const isAltered = door === "rpc" ? alterResults(body, request.body, storm) : alterPage(body, storm, door, path);
  return isAltered || isSkewed ? JSON.stringify(body) : page;
}

/** Undefined for what is no JSON: GDELT gives out such. */
function parsed(page: string): unknown {
  try {
    return JSON.parse(page) as unknown;
  } catch {
    return undefined;
  }
}

function skewDate(reply: FastifyReply, hit: Hit<FaultOf<"skew">>, wall: () => number): void {
  void reply.header("date", new Date(wall() + hit.fault.offset_seconds * 1000).toUTCString());
  hit.landed();
}

/** Answers that say when the server made them. */
function isStamped(door: FaultDoor, path: string): boolean {
  return door === "clob" && path === "/books";
}

function isJson(reply: FastifyReply): boolean {
  return String(reply.getHeader("content-type")).startsWith("application/json");
}
