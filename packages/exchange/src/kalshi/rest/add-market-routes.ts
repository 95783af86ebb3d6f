import type { FastifyInstance } from "fastify";
import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import { type KalshiContext, tiers } from "../tiers.ts";
import { toEvent, toMarket } from "../reply/to-market.ts";
import { toTime } from "../reply/texts.ts";
import { Cursor, pageBack } from "./paging.ts";
import { LIST_PARAMETERS, LIVE_PARAMETERS, marketFilter } from "./market-filter.ts";
import { Query } from "./query.ts";

/** GET /markets (newest first), /historical/markets, /historical/cutoff and /events. */
export function addMarketRoutes(app: FastifyInstance, context: KalshiContext): void {
  const { kalshi } = context.world;
  const live = new Cursor("markets");
  app.get("/markets", (request, reply) => {
    const query = new Query(request.query, LIVE_PARAMETERS);
    const limit = query.limit(100, 1000);
    const passes = marketFilter(query);
    const { liveMarket } = tiers(context);
    const before = live.readNumber(query.text("cursor")) ?? kalshi.markets.length;
    const bounds = { before, from: 0 };
    const page = pageBack(kalshi.markets, bounds, limit, (market) => liveMarket(market) && passes(market));
    void reply.header("cache-control", "public, max-age=15");
    return { cursor: page.last === undefined ? "" : live.write(page.last), markets: page.items.map(toMarket) };
  });

  const historical = new Cursor("historical");
  app.get("/historical/markets", (request) => {
    const query = new Query(request.query, LIST_PARAMETERS);
    const limit = query.limit(100, 1000);
    const tickers = new Set(query.list("tickers"));
    const { historicalMarket } = tiers(context);
    const before = placeOf(historical.read(query.text("cursor")));
    const sorted = kalshi.markets
      .filter((market) => historicalMarket(market) && (tickers.size === 0 || tickers.has(market.ticker)))
      .sort(newestSettlement)
      .filter((market) => before === undefined || newestSettlement(before, market) < 0);
    const page = sorted.slice(0, limit);
    const last = page.length === limit ? page.at(-1) : undefined;
    return { cursor: last ? historical.write(`${last.settled_ms}:${last.ticker}`) : "", markets: page.map(toMarket) };
  });

  // RFC3339 strings, despite the names.
  app.get("/historical/cutoff", (_request, reply) => {
    const at = toTime(kalshi.cutoff());
    void reply.header("cache-control", "public, max-age=1");
    return {
      market_positions_last_updated_ts: at,
      market_settled_ts: at,
      orders_updated_ts: at,
      trades_created_ts: at,
    };
  });

  // `tickers` selects some. Events are never removed.
  const cursor = new Cursor("events");
  app.get("/events", (request) => {
    const query = new Query(request.query, ["limit", "cursor", "tickers"]);
    const limit = query.limit(200, 200);
    const tickers = new Set(query.list("tickers"));
    const all = kalshi.events.filter(({ event_ticker }) => tickers.size === 0 || tickers.has(event_ticker));
    const from = cursor.readNumber(query.text("cursor")) ?? 0;
    const page = all.slice(from, from + limit);
    return { cursor: page.length === limit ? cursor.write(from + limit) : "", events: page.map(toEvent) };
  });
}

type Place = Pick<KalshiMarket, "settled_ms" | "ticker">;

function newestSettlement(a: Place, b: Place): number {
  const later = (b.settled_ms ?? 0) - (a.settled_ms ?? 0);
  if (later !== 0) return later;
  return a.ticker < b.ticker ? -1 : Number(a.ticker > b.ticker);
}

function placeOf(text: string | undefined): Place | undefined {
  if (text === undefined) return undefined;
  const at = text.indexOf(":");
  return { settled_ms: Number(text.slice(0, at)), ticker: text.slice(at + 1) };
}
