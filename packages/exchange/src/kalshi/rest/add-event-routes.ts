import type { FastifyInstance } from "fastify";
import type { KalshiEvent } from "../../world/kalshi-contract.ts";
import type { KalshiContext } from "../context.ts";
import { KalshiError } from "../kalshi-error.ts";
import { toEvent } from "../reply/to-event.ts";
import { toMarket } from "../reply/to-market.ts";
import { tiers } from "../tiers.ts";
import { Cursor } from "./cursor.ts";
import { statusesOf } from "./market-filter.ts";
import { Query } from "./query.ts";

/** GET /events, /events/multivariate, /events/{ticker}. Events never leave; their archived markets drop out silently. */
export function addEventRoutes(app: FastifyInstance, context: KalshiContext): void {
  app.get("/events", (request) => listEvents(context, new Query(request.query), false));
  app.get("/events/multivariate", (request) => listEvents(context, new Query(request.query), true));

  app.get<{ Params: { event: string } }>("/events/:event", (request) => {
    const event = context.world.kalshi.event(request.params.event);
    if (!event) throw new KalshiError(404, "not_found", "not found");
    const markets = event.markets.filter(tiers(context).liveMarket);
    const nested = new Query(request.query).flag("with_nested_markets") === true;
    return nested
      ? { event: toEvent(event, markets), markets: [] }
      : { event: toEvent(event), markets: markets.map(toMarket) };
  });
}

function listEvents(context: KalshiContext, query: Query, multivariate: boolean) {
  const cursor = new Cursor("events");
  const limit = query.limit(200, 200);
  const passes = eventFilter(context, query, multivariate);
  const nested = query.flag("with_nested_markets") === true;
  const { liveMarket } = tiers(context);
  const all = context.world.kalshi.events;
  const events: ReturnType<typeof toEvent>[] = [];
  let index = cursor.readNumber(query.text("cursor")) ?? 0;
  for (; index < all.length && events.length < limit; index += 1) {
    const event = all[index];
    if (event && passes(event)) events.push(toEvent(event, nested ? event.markets.filter(liveMarket) : undefined));
  }
  return {
    cursor: events.length === limit ? cursor.write(index) : "",
    events,
    ...(query.flag("with_milestones") && { milestones: [] }),
  };
}

function eventFilter(context: KalshiContext, query: Query, multivariate: boolean): (event: KalshiEvent) => boolean {
  const status = query.choice("status", ["unopened", "open", "closed", "settled"]);
  const series = query.text("series_ticker");
  const tickers = new Set(query.list("tickers"));
  const closes = query.integer("min_close_ts");
  const updated = query.integer("min_updated_ts");
  const { liveMarket } = tiers(context);
  return (event) => {
    if (event.event_ticker.startsWith("KXMVE") !== multivariate) return false;
    if (series !== undefined && event.series.ticker !== series) return false;
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
