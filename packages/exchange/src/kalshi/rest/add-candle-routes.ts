import type { FastifyInstance } from "fastify";
import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import { makeCandles, type CandleRange } from "../candles/make-candles.ts";
import { type KalshiContext, tiers } from "../tiers.ts";
import { KalshiError } from "../kalshi-error.ts";
import { toCandlestick, toHistoricalCandlestick } from "../reply/market-data.ts";
import { Query } from "./query.ts";

const BATCH_CANDLES = 10_000;
const RANGE = ["start_ts", "end_ts", "period_interval"];

/** Candlesticks of a market, of several markets (comma-separated), and of the historical tier. */
export function addCandleRoutes(app: FastifyInstance, context: KalshiContext): void {
  const { kalshi } = context.world;

  app.get<{ Params: { series: string; ticker: string } }>("/series/:series/markets/:ticker/candlesticks", (request) => {
    const market = kalshi.market(request.params.ticker);
    // A market that settled before the cutoff is only in the historical tier.
    if (market?.event.series.ticker !== request.params.series || !tiers(context).liveMarket(market)) throw missing();
    return { candlesticks: live(market, context, new Query(request.query, RANGE)), ticker: market.ticker };
  });

  app.get<{ Params: { ticker: string } }>("/historical/markets/:ticker/candlesticks", (request) => {
    const market = kalshi.market(request.params.ticker);
    if (!market || !tiers(context).historicalMarket(market)) throw missing();
    const candles = makeCandles(market, rangeOf(context, new Query(request.query, RANGE)));
    return { candlesticks: candles.map(toHistoricalCandlestick), ticker: market.ticker };
  });

  app.get("/markets/candlesticks", (request) => {
    const query = new Query(request.query, ["market_tickers", ...RANGE]);
    const tickers = query.list("market_tickers");
    if (tickers.length === 0 || tickers.length > 100) throw bad("market_tickers must hold 1 to 100 items");
    const { liveMarket } = tiers(context);
    let room = BATCH_CANDLES;
    const markets = tickers.map((ticker) => {
      const market = kalshi.market(ticker);
      const candlesticks = market && liveMarket(market) ? live(market, context, query).slice(0, room) : [];
      room -= candlesticks.length;
      return { candlesticks, market_ticker: ticker };
    });
    return { markets };
  });
}

function live(market: KalshiMarket, context: KalshiContext, query: Query) {
  return makeCandles(market, rangeOf(context, query)).map(toCandlestick);
}

function rangeOf(context: KalshiContext, query: Query): CandleRange {
  const period = query.required("period_interval");
  if (![1, 60, 1440].includes(period)) throw bad("period_interval must be 1, 60 or 1440");
  const range = { start_ts: query.required("start_ts"), end_ts: query.required("end_ts") };
  if (range.start_ts > range.end_ts) throw bad("start_ts must not be after end_ts");
  return { ...range, period_minutes: period, reached_ms: context.world.reached() };
}

function bad(details: string): KalshiError {
  return new KalshiError(400, "bad_request", "bad request", details);
}

function missing(): KalshiError {
  return new KalshiError(404, "not_found", "not found");
}
