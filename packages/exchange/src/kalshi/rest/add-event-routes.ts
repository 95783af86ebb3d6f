import type { FastifyInstance } from "fastify";
import type { KalshiContext } from "../context.ts";
import { toEvent } from "../reply/to-event.ts";
import { Cursor } from "./cursor.ts";
import { Query } from "./query.ts";

/** GET /events, without combos; `tickers` asks for some. Events never leave. */
export function addEventRoutes(app: FastifyInstance, { world }: KalshiContext): void {
  const cursor = new Cursor("events");

  app.get("/events", (request) => {
    const query = new Query(request.query);
    const limit = query.limit(200, 200);
    const tickers = new Set(query.list("tickers"));
    const all = world.kalshi.events;
    const events: ReturnType<typeof toEvent>[] = [];
    let index = cursor.readNumber(query.text("cursor")) ?? 0;
    for (; index < all.length && events.length < limit; index += 1) {
      const event = all[index];
      if (event === undefined || event.event_ticker.startsWith("KXMVE")) continue;
      if (tickers.size === 0 || tickers.has(event.event_ticker)) events.push(toEvent(event));
    }
    return { cursor: events.length === limit ? cursor.write(index) : "", events };
  });
}
