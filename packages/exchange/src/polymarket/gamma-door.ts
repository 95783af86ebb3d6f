import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { PolymarketEvent, PolymarketMarket } from "../world/contract.ts";
import type { World } from "../world/world.ts";
import { eventObject, isEventClosed } from "./gamma/event-object.ts";
import { clampLimit, keysetPage } from "./gamma/keyset-page.ts";
import { marketFilter } from "./gamma/market-filter.ts";
import { marketObject } from "./gamma/market-object.ts";
import { tagObject } from "./gamma/tag-object.ts";
import { flag, numeric, type Query } from "./query-values.ts";

type App = Parameters<FastifyPluginAsync>[0];
type Ask = { Querystring: Query };

/** Gamma, the catalogue of markets and events: https://gamma-api.polymarket.com. Rules: reference polymarket.md §1. */
export function gammaDoor(world: World): FastifyPluginAsync {
  return async (app) => {
    mountMarkets(app, world);
    mountEvents(app, world);
    app.get<Ask>("/tags", async ({ query }) => {
      const offset = Math.max(0, numeric(query, "offset") ?? 0);
      const page = world.polymarket.tags.slice(offset, offset + clampLimit(numeric(query, "limit") ?? 100));
      return page.map((tag) => tagObject(tag, world.start_ms));
    });
  };
}

function mountMarkets(app: App, world: World): void {
  const shown = (market: PolymarketMarket, query: Query) => ({
    ...marketObject(market, world.reached()),
    events: [eventObject(market.event)],
    ...(flag(query, "include_tag") === true && { tags: tagsOf(market.event, world) }),
  });
  app.get<Ask>("/markets/keyset", async ({ query }, reply) => {
    const page = keysetPage(world.polymarket.markets.filter(marketFilter(query)), query, {
      closedTime: (market) => market.closed_ms ?? 0,
    });
    if ("refused" in page) return refuse(reply, page.refused);
    const markets = page.items.map((market) => shown(market, query));
    return page.next_cursor === undefined ? { markets } : { markets, next_cursor: page.next_cursor };
  });
}

function mountEvents(app: App, world: World): void {
  app.get<Ask>("/events/keyset", async ({ query }, reply) => {
    const isClosed = flag(query, "closed") ?? false;
    const found = world.polymarket.events.filter((event) => isEventClosed(event) === isClosed);
    const page = keysetPage(found, query, {});
    if ("refused" in page) return refuse(reply, page.refused);
    const events = page.items.map((event) => ({
      ...eventObject(event),
      markets: event.markets.map((market) => marketObject(market, world.reached())),
      tags: tagsOf(event, world),
    }));
    return page.next_cursor === undefined ? { events } : { events, next_cursor: page.next_cursor };
  });
}

function tagsOf(event: PolymarketEvent, world: World): unknown[] {
  return event.tags.map((tag) => tagObject(tag, world.start_ms));
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return reply.code(422).send({ type: "validation error", error });
}
