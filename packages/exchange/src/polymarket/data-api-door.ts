import type { FastifyPluginAsync } from "fastify";
import type { World } from "../world/world.ts";
import { activityAnswer } from "./data/activity-answer.ts";
import { invalid, type Refusal, refuseData } from "./data/data-error.ts";
import { holdersAnswer } from "./data/holders-answer.ts";
import { leaderboardAnswer } from "./data/leaderboard-answer.ts";
import { liveVolumeAnswer, openInterestAnswer, statusAnswer } from "./data/market-answers.ts";
import { positionsAnswer } from "./data/positions-answer.ts";
import { pricesAnswer } from "./data/prices-answer.ts";
import { isRefusal, snakeQuery } from "./data/read-query.ts";
import { resolutionsAnswer } from "./data/resolutions-answer.ts";
import { tradesAnswer } from "./data/trades-answer.ts";
import { userStatsAnswer, userVolumeAnswer, valueAnswer } from "./data/user-answers.ts";
import { mountV1 } from "./data/v1-door.ts";
import type { WalletTotals } from "./data/wallet-totals.ts";
import type { Query } from "./query-values.ts";
import { installUrlCache } from "./url-cache.ts";

/** Settings of the Data API door. */
export interface DataApiOptions {
  /** What v1 does with deep offsets; default "error". */
  v1_offset_mode?: "repeat" | "error";
  /** The CDN before the feeds; default on, as the real one. */
  cdn?: boolean;
  /** How long after its block a trade shows, ms of world time; default 3,000. */
  lag_ms?: number;
}

/** What the CDN keeps, seconds. v1 was not measured and is taken to be like v2. */
const cacheAges = { "/v2/trades": 300, "/v2/activity": 15, "/trades": 300, "/activity": 15 };

type Answered = { data: unknown } | Refusal;

/** The Data API, v1 and v2: https://data-api.polymarket.com. Rules: reference polymarket.md §3, §4, §5.2. */
export function dataApiDoor(world: World, options: DataApiOptions = {}): FastifyPluginAsync {
  const lag = options.lag_ms ?? 3000;
  const visible = (): number => Math.floor((world.reached() - lag) / 1000);
  const boards = new Map<string, { until: number; totals: WalletTotals[] }>();
  const answers: Record<string, (query: Query) => Answered> = {
    "/v2/trades": (query) => tradesAnswer(world, query, visible()),
    "/v2/activity": (query) => activityAnswer(world, query, visible()),
    "/v2/positions": (query) => positionsAnswer(world, query),
    "/v2/holders": (query) => holdersAnswer(world, query),
    "/v2/leaderboard": (query) => leaderboardAnswer(world, query, boards),
    "/v2/user-stats": (query) => userStatsAnswer(world, query),
    "/v2/user-volume": (query) => userVolumeAnswer(world, query),
    "/v2/value": (query) => valueAnswer(world, query),
    "/v2/resolutions": (query) => resolutionsAnswer(world, query),
    "/v2/prices-history": (query) => pricesAnswer(world, query),
    "/v2/oi": (query) => openInterestAnswer(world, query),
    "/v2/live-volume": (query) => liveVolumeAnswer(world, query),
    "/v2/status": () => statusAnswer(world, visible()),
  };
  return async (app) => {
    if (options.cdn ?? true) installUrlCache(app, cacheAges, () => world.now());
    for (const [path, answer] of Object.entries(answers)) {
      app.get<{ Querystring: Query }>(path, async (request, reply) => {
        const query = snakeQuery(request.query);
        if (query["offset"] !== undefined)
          return refuseData(reply, invalid("offset", "offset is not supported, use cursor"));
        const answered = answer(query);
        return isRefusal(answered) ? refuseData(reply, answered) : answered;
      });
    }
    app.get("/v2/*", async (_request, reply) =>
      refuseData(reply, { code: "not_found", error: "no such endpoint", parameter: "" }),
    );
    app.get("/ok", async () => ({ data: "OK" }));
    mountV1(app, world, { offset_mode: options.v1_offset_mode ?? "error", visible_seconds: visible });
  };
}
