import type { FastifyInstance } from "fastify";
import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import type { KalshiContext } from "../context.ts";
import { KalshiError } from "../kalshi-error.ts";
import { toMarket } from "../reply/to-market.ts";
import { toTime } from "../reply/to-time.ts";
import { tiers } from "../tiers.ts";
import { Cursor } from "./cursor.ts";
import { Query } from "./query.ts";

/** GET /historical/cutoff (RFC3339 strings, whatever the names say) and /historical/markets. */
export function addHistoricalRoutes(app: FastifyInstance, context: KalshiContext): void {
  const cursor = new Cursor("historical");

  app.get("/historical/cutoff", (_request, reply) => {
    const at = toTime(context.world.kalshi.cutoff());
    void reply.header("cache-control", "public, max-age=1");
    return {
      market_positions_last_updated_ts: at,
      market_settled_ts: at,
      orders_updated_ts: at,
      trades_created_ts: at,
    };
  });

  app.get("/historical/markets", (request) => {
    const query = new Query(request.query);
    const limit = query.limit(100, 1000);
    const passes = filter(query);
    const { historicalMarket } = tiers(context);
    const before = placeOf(cursor.read(query.text("cursor")));
    const sorted = context.world.kalshi.markets
      .filter((market) => historicalMarket(market) && passes(market))
      .sort(newestSettlement)
      .filter((market) => before === undefined || newestSettlement(before, market) < 0);
    const page = sorted.slice(0, limit);
    const last = page.length === limit ? page.at(-1) : undefined;
    return { cursor: last ? cursor.write(`${last.settled_ms}:${last.ticker}`) : "", markets: page.map(toMarket) };
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

function filter(query: Query): (market: KalshiMarket) => boolean {
  const names = ["tickers", "event_ticker", "series_ticker", "mve_filter"];
  if (names.filter((name) => query.text(name) !== undefined).length > 1) {
    throw new KalshiError(
      400,
      "invalid_parameters",
      "invalid parameters",
      `${names.join(", ")} are mutually exclusive`,
    );
  }
  const tickers = new Set(query.list("tickers"));
  const event = query.text("event_ticker");
  const series = query.text("series_ticker");
  const mve = query.choice("mve_filter", ["exclude"]);
  return (market) =>
    (tickers.size === 0 || tickers.has(market.ticker)) &&
    (event === undefined || market.event.event_ticker === event) &&
    (series === undefined || market.event.series.ticker === series) &&
    (mve === undefined || !market.ticker.startsWith("KXMVE"));
}
