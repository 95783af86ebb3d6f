import type { FastifyInstance } from "fastify";

interface Kept {
  body: string;
  type: string;
  at_ms: number;
}

const mostEntries = 2000;
const mostBytes = 64 * 1024 * 1024;

/** How long each path is kept by the CDN, in seconds; a path not listed is not kept. */
export type CacheAges = Readonly<Record<string, number>>;

/**
 * Puts a CDN before the routes of `app`: an answer is kept by its whole URL for `ages[path]` seconds of `now` and given again,
 * whatever the request headers say. Only another URL (a dummy parameter will do) gets round it.
 */
export function installUrlCache(app: FastifyInstance, ages: CacheAges, now: () => number): void {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (url: string): void => {
    bytes -= kept.get(url)?.body.length ?? 0;
    kept.delete(url);
  };
  app.addHook("onRequest", async (request, reply) => {
    const age = ages[pathOf(request.url)];
    const entry = age === undefined ? undefined : kept.get(request.url);
    if (age === undefined || entry === undefined) return;
    const passed = now() - entry.at_ms;
    if (passed >= age * 1000) return drop(request.url);
    const headers = {
      "cache-control": `public, max-age=${age}`,
      age: String(Math.floor(passed / 1000)),
      "x-cache": "Hit from cloudfront",
    };
    await reply.headers(headers).type(entry.type).send(entry.body);
  });
  app.addHook("onSend", async (request, reply, payload) => {
    const age = ages[pathOf(request.url)];
    if (age === undefined || reply.statusCode !== 200 || reply.hasHeader("x-cache") || typeof payload !== "string")
      return payload;
    reply.headers({ "cache-control": `public, max-age=${age}`, "x-cache": "Miss from cloudfront" });
    drop(request.url);
    kept.set(request.url, { body: payload, type: String(reply.getHeader("content-type")), at_ms: now() });
    bytes += payload.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= mostEntries && bytes <= mostBytes) break;
      drop(oldest);
    }
    return payload;
  });
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}
