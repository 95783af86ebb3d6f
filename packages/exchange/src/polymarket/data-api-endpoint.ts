import type { FastifyPluginAsync, FastifyInstance } from "fastify";
import type { World } from "../world/world.ts";
import { activityAnswer } from "./data/activity-answer.ts";
import { invalid, type Refusal, refuseData } from "./data/data-error.ts";
import { isRefusal } from "./data/read-query.ts";
import { tradesAnswer } from "./data/trades-answer.ts";
import type { Query } from "./query-values.ts";

interface Kept {
  body: string;
  type: string;
  at_ms: number;
}

const maxEntries = 2000;
const maxBytes = 64 * 1024 * 1024;

/** How long the CDN caches each path, in seconds; a path not listed is not cached. */
type CacheAges = Readonly<Record<string, number>>;

/**
 * Puts a CDN in front of the routes of `app`: a response is cached by its full URL for `ages[path]` seconds of `now`,
 * whatever the request headers say. Only a different URL (a dummy parameter suffices) bypasses it.
 */
function installUrlCache(app: FastifyInstance, ages: CacheAges, now: () => number): void {
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
      if (kept.size <= maxEntries && bytes <= maxBytes) break;
      drop(oldest);
    }
    return payload;
  });
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? url;
}

/** Settings of the Data API endpoint. */
export interface DataApiOptions {
  /** Whether a CDN caches the feeds; default true, as on the real API. */
  cdn?: boolean;
  /** Delay between a trade's block and its appearance, ms of world time; default 3,000. */
  lag_ms?: number;
}

/** CDN cache lifetimes, seconds. */
const cacheAges = { "/v2/trades": 300, "/v2/activity": 15 };

/** Supported query parameters; `_` only makes the URL different. */
const simulated: ReadonlySet<string> = new Set(
  "user,type,start,condition,taker_only,filter_type,filter_amount,limit,cursor,_".split(","),
);

type Answered = { data: unknown } | Refusal;

/** The feeds of the Data API v2: https://data-api.polymarket.com. Rules: reference polymarket.md §4, §5.2. */
export function dataApiEndpoint(world: World, options: DataApiOptions = {}): FastifyPluginAsync {
  const lag = options.lag_ms ?? 3000;
  const visible = (): number => Math.floor((world.reached() - lag) / 1000);
  const answers: Record<string, (query: Query) => Answered> = {
    "/v2/trades": (query) => tradesAnswer(world, query, visible()),
    "/v2/activity": (query) => activityAnswer(world, query, visible()),
  };
  return async (app) => {
    if (options.cdn ?? true) installUrlCache(app, cacheAges, () => world.now());
    for (const [path, answer] of Object.entries(answers)) {
      app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
        const strange = Object.keys(query).find((name) => !simulated.has(name));
        if (strange !== undefined) return refuseData(reply, invalid(strange, `${strange} is not supported`));
        const answered = answer(query);
        return isRefusal(answered) ? refuseData(reply, answered) : answered;
      });
    }
    app.get("/v2/*", async (_request, reply) =>
      refuseData(reply, { code: "not_found", error: "no such endpoint", parameter: "" }),
    );
  };
}
