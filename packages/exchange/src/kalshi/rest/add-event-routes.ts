import type { FastifyInstance } from "fastify";
import type { KalshiEvent } from "../../world/kalshi-contract.ts";
import type { KalshiContext } from "../context.ts";
import { toEvent } from "../reply/to-event.ts";
import { tiers } from "../tiers.ts";
import { Cursor } from "./cursor.ts";
import { statusesOf } from "./market-filter.ts";
import { Query } from "./query.ts";

/** GET /events, without combos. Events never leave. */
export function addEventRoutes(app: FastifyInstance, context: KalshiContext): void {
  const cursor = new Cursor("events");

  app.get("/events", (request) => {
    const query = new Query(request.query);
    const limit = query.limit(200, 200);
    const passes = eventFilter(context, query);
    const all = context.world.kalshi.events;
    const events: ReturnType<typeof toEvent>[] = [];
    let index = cursor.readNumber(query.text("cursor")) ?? 0;
    for (; index < all.length && events.length < limit; index += 1) {
      const event = all[index];
      if (event && passes(event)) events.push(toEvent(event));
    }
    return { cursor: events.length === limit ? cursor.write(index) : "", events };
  });
}

function eventFilter(context: KalshiContext, query: Query): (event: KalshiEvent) => boolean {
  const status = query.choice("status", ["unopened", "open", "closed", "settled"]);
  const tickers = new Set(query.list("tickers"));
  const closes = query.integer("min_close_ts");
  const updated = query.integer("min_updated_ts");
  const { liveMarket } = tiers(context);
  return (event) => {
    if (event.event_ticker.startsWith("KXMVE")) return false;
    if (tickers.size > 0 && !tickers.has(event.event_ticker)) return false;
    if (updated !== undefined && event.updated_ms <= updated * 1000) return false;
    if (closes !== undefined && !event.markets.some((market) => market.close_ms > closes * 1000)) return false;
    // One child that matches is enough, whatever the others are.
    return (
      status === undefined ||
      event.markets.some((market) => liveMarket(market) && statusesOf(status).includes(market.status))
    );
  };
}
