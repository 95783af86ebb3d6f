import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { PolymarketEvent, PolymarketMarket } from "../world/contract.ts";
import type { World } from "../world/world.ts";
import { eventFilter } from "./gamma/event-filter.ts";
import { eventObject } from "./gamma/event-object.ts";
import { clampLimit, keysetPage, type OrderFields, readOrder } from "./gamma/keyset-page.ts";
import { marketFilter } from "./gamma/market-filter.ts";
import { marketObject } from "./gamma/market-object.ts";
import { eventOrderFields, marketOrderFields } from "./gamma/order-fields.ts";
import { tagObject } from "./gamma/tag-object.ts";
import { flag, numeric, one, type Query } from "./query-values.ts";

interface Shown {
  market(market: PolymarketMarket, query: Query): Record<string, unknown>;
  event(event: PolymarketEvent): Record<string, unknown>;
}

/** Gamma, the catalogue of markets and events: https://gamma-api.polymarket.com. Rules of paging: reference polymarket.md §1. */
export function gammaDoor(world: World): FastifyPluginAsync {
  const shown = shownBy(world);
  return async (app) => {
    app.get<{ Querystring: Query }>("/status", async () => "OK");
    mountMarkets(app, world, shown);
    mountEvents(app, world, shown);
    mountTags(app, world);
  };
}

type App = Parameters<FastifyPluginAsync>[0];

function mountMarkets(app: App, world: World, shown: Shown): void {
  const all = (): readonly PolymarketMarket[] => world.polymarket.markets;
  app.get<{ Querystring: Query }>("/markets/keyset", async ({ query }, reply) => {
    const page = keysetPage(all().filter(marketFilter(query)), query, marketOrderFields);
    if ("refused" in page) return refuse(reply, page.refused, "validation error", page.error);
    const markets = page.items.map((market) => shown.market(market, query));
    return page.next_cursor === undefined ? { markets } : { markets, next_cursor: page.next_cursor };
  });
  app.get<{ Querystring: Query }>("/markets", async ({ query }, reply) => {
    // The slug filter of the old list misses game markets, as observed; /markets/slug/{slug} finds them.
    const filter = marketFilter(query);
    const slug = one(query, "slug");
    const found = all().filter((market) => filter(market) && !(slug !== undefined && isGame(market)));
    const items = offsetPage(found, query, marketOrderFields, reply);
    return items === undefined ? reply : items.map((market) => shown.market(market, query));
  });
  app.get<{ Querystring: Query; Params: { slug: string } }>("/markets/slug/:slug", async ({ params, query }, reply) => {
    const market = world.polymarket.market(params.slug);
    if (market?.slug !== params.slug) return refuse(reply, 404, "not found error", "slug not found");
    return shown.market(market, query);
  });
  app.get<{ Querystring: Query; Params: { id: string } }>("/markets/:id", async ({ params, query }, reply) => {
    if (!/^\d+$/.test(params.id)) return refuse(reply, 422, "validation error", "id is invalid");
    const market = world.polymarket.market(params.id);
    if (market?.id !== params.id) return refuse(reply, 404, "not found error", "id not found");
    return shown.market(market, query);
  });
  app.get<{ Params: { id: string } }>("/markets/:id/tags", async ({ params }, reply) => {
    const market = world.polymarket.market(params.id);
    if (market === undefined) return refuse(reply, 404, "not found error", "id not found");
    return market.event.tags.map((tag) => tagObject(tag, world.start_ms));
  });
}

function mountEvents(app: App, world: World, shown: Shown): void {
  const all = (): readonly PolymarketEvent[] => world.polymarket.events;
  app.get<{ Querystring: Query }>("/events/keyset", async ({ query }, reply) => {
    const page = keysetPage(all().filter(eventFilter(query, false)), query, eventOrderFields);
    if ("refused" in page) return refuse(reply, page.refused, "validation error", page.error);
    const events = page.items.map(shown.event);
    return page.next_cursor === undefined ? { events } : { events, next_cursor: page.next_cursor };
  });
  app.get<{ Querystring: Query }>("/events", async ({ query }, reply) => {
    // Without `closed` the old list answers closed events only, whatever its documentation says.
    const items = offsetPage(all().filter(eventFilter(query, true)), query, eventOrderFields, reply);
    return items === undefined ? reply : items.map(shown.event);
  });
  app.get<{ Params: { slug: string } }>("/events/slug/:slug", async ({ params }, reply) => {
    const event = world.polymarket.event(params.slug);
    if (event?.slug !== params.slug) return refuse(reply, 404, "not found error", "slug not found");
    return shown.event(event);
  });
  app.get<{ Params: { id: string } }>("/events/:id", async ({ params }, reply) => {
    const event = world.polymarket.event(params.id);
    if (event?.id !== params.id) return refuse(reply, 404, "not found error", "id not found");
    return shown.event(event);
  });
  app.get<{ Params: { id: string } }>("/events/:id/tags", async ({ params }, reply) => {
    const event = world.polymarket.event(params.id);
    if (event === undefined) return refuse(reply, 404, "not found error", "id not found");
    return event.tags.map((tag) => tagObject(tag, world.start_ms));
  });
}

function mountTags(app: App, world: World): void {
  app.get<{ Querystring: Query }>("/tags", async ({ query }) => {
    const offset = Math.max(0, numeric(query, "offset") ?? 0);
    const page = world.polymarket.tags.slice(offset, offset + clampLimit(numeric(query, "limit") ?? 100));
    return page.map((tag) => tagObject(tag, world.start_ms));
  });
  app.get<{ Params: { slug: string } }>("/tags/slug/:slug", async ({ params }, reply) => {
    const tag = world.polymarket.tags.find((item) => item.slug === params.slug);
    return tag === undefined ? refuse(reply, 404, "not found error", "slug not found") : tagObject(tag, world.start_ms);
  });
  app.get<{ Params: { id: string } }>("/tags/:id", async ({ params }, reply) => {
    const tag = world.polymarket.tags.find((item) => item.id === params.id);
    return tag === undefined ? refuse(reply, 404, "not found error", "id not found") : tagObject(tag, world.start_ms);
  });
}

function shownBy(world: World): Shown {
  const tags = (event: PolymarketEvent): unknown[] => event.tags.map((tag) => tagObject(tag, world.start_ms));
  return {
    market(market, query) {
      const object = { ...marketObject(market, world.reached()), events: [eventObject(market.event)] };
      return flag(query, "include_tag") === true ? { ...object, tags: tags(market.event) } : object;
    },
    event(event) {
      const markets = event.markets.map((market) => marketObject(market, world.reached()));
      return { ...eventObject(event), markets, tags: tags(event) };
    },
  };
}

/** The old offset lists: they end at 2,000 rows and announce their end in headers. Undefined when refused. */
function offsetPage<T extends { id: string }>(
  items: readonly T[],
  query: Query,
  fields: OrderFields<T>,
  reply: FastifyReply,
): T[] | undefined {
  void reply.headers({
    deprecation: "true",
    sunset: "Fri, 01 May 2026 00:00:00 GMT",
    warning: '299 - "use the keyset endpoint"',
  });
  const offset = Math.max(0, numeric(query, "offset") ?? 0);
  if (!(offset <= 2000)) {
    refuse(reply, 422, "validation error", "offset must not exceed 2000, use the keyset endpoint");
    return undefined;
  }
  const ordering = readOrder(query, fields);
  if (ordering === undefined) {
    refuse(reply, 422, "validation error", "order fields are not valid");
    return undefined;
  }
  return [...items].sort(ordering.compare).slice(offset, offset + clampLimit(numeric(query, "limit")));
}

function isGame(market: PolymarketMarket): boolean {
  return market.event_start_ms !== null && market.event.series === null;
}

function refuse(reply: FastifyReply, status: number, type: string, error: string): FastifyReply {
  return reply.code(status).send({ type, error });
}
