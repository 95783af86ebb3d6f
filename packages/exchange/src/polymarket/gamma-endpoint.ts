import type { FastifyPluginAsync, FastifyReply } from "fastify";
import type { PolymarketEvent, PolymarketMarket } from "../world/contract.ts";
import type { World } from "../world/world.ts";
import { eventObject, isEventClosed, tagObject } from "./gamma/event-object.ts";
import { clampLimit, keysetPage } from "./gamma/keyset-page.ts";
import { marketObject } from "./gamma/market-object.ts";
import { flag, numeric, type Query, many } from "./query-values.ts";

type App = Parameters<FastifyPluginAsync>[0];
type Ask = { Querystring: Query };

/** Gamma, the catalogue of markets and events: https://gamma-api.polymarket.com. Rules: reference polymarket.md §1. */
export function gammaEndpoint(world: World): FastifyPluginAsync {
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

type Test = (market: PolymarketMarket) => boolean;

/**
 * The filters of Gamma's market lists as one predicate. `closed` defaults to false, so resolved markets need
 * `closed=true` even when requested by their tokens.
 */
export function marketFilter(query: Query): Test {
  const closed = flag(query, "closed") ?? false;
  const tests: Test[] = [(market) => market.closed === closed];
  const tokens = new Set(many(query, "clob_token_ids"));
  if (tokens.size > 0) tests.push((market) => market.token_ids.some((id) => tokens.has(id)));
  const volume = numeric(query, "volume_num_min");
  if (volume !== undefined) tests.push((market) => market.volume_micro / 1_000_000 >= volume);
  return (market) => tests.every((test) => test(market));
}
