import type { FastifyPluginAsync } from "fastify";
import type { World } from "../world/world.ts";
import { activityAnswer } from "./data/activity-answer.ts";
import { invalid, type Refusal, refuseData } from "./data/data-error.ts";
import { isRefusal } from "./data/read-query.ts";
import { tradesAnswer } from "./data/trades-answer.ts";
import type { Query } from "./query-values.ts";
import { installUrlCache } from "./url-cache.ts";

/** Settings of the Data API door. */
export interface DataApiOptions {
  /** The CDN before the feeds; default on, as the real one. */
  cdn?: boolean;
  /** How long after its block a trade shows, ms of world time; default 3,000. */
  lag_ms?: number;
}

/** What the CDN keeps, seconds. */
const cacheAges = { "/v2/trades": 300, "/v2/activity": 15 };

type Answered = { data: unknown } | Refusal;

/** The feeds of the Data API v2: https://data-api.polymarket.com. Rules: reference polymarket.md §4, §5.2. */
export function dataApiDoor(world: World, options: DataApiOptions = {}): FastifyPluginAsync {
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
        if (query["offset"] !== undefined)
          return refuseData(reply, invalid("offset", "offset is not supported, use cursor"));
        const answered = answer(query);
        return isRefusal(answered) ? refuseData(reply, answered) : answered;
      });
    }
    app.get("/v2/*", async (_request, reply) =>
      refuseData(reply, { code: "not_found", error: "no such endpoint", parameter: "" }),
    );
  };
}
