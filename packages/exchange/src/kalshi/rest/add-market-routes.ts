import type { FastifyInstance } from "fastify";
import type { KalshiContext } from "../context.ts";
import { toMarket } from "../reply/to-market.ts";
import { tiers } from "../tiers.ts";
import { Cursor } from "./cursor.ts";
import { marketFilter } from "./market-filter.ts";
import { pageBack } from "./page-back.ts";
import { Query } from "./query.ts";

/** GET /markets, newest first. */
export function addMarketRoutes(app: FastifyInstance, context: KalshiContext): void {
  const cursor = new Cursor("markets");

  app.get("/markets", (request, reply) => {
    const query = new Query(request.query);
    const limit = query.limit(100, 1000);
    const passes = marketFilter(query);
    const { liveMarket } = tiers(context);
    const markets = context.world.kalshi.markets;
    const before = cursor.readNumber(query.text("cursor")) ?? markets.length;
    const page = pageBack(markets, { before, from: 0 }, limit, (market) => liveMarket(market) && passes(market));
    void reply.header("cache-control", "public, max-age=15");
    return { cursor: page.last === undefined ? "" : cursor.write(page.last), markets: page.items.map(toMarket) };
  });
}
