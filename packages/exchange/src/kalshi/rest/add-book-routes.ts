import type { FastifyInstance } from "fastify";
import type { KalshiContext } from "../context.ts";
import { KalshiError } from "../kalshi-error.ts";
import { toOrderbook } from "../reply/to-orderbook.ts";
import { tiers } from "../tiers.ts";
import { Query } from "./query.ts";

/** GET /markets/orderbooks (`tickers` repeated; a comma-joined value names one market). */
export function addBookRoutes(app: FastifyInstance, context: KalshiContext): void {
  app.get("/markets/orderbooks", (request) => {
    const tickers = new Query(request.query).repeated("tickers").filter((ticker) => ticker !== "");
    if (tickers.length === 0 || tickers.length > 100) {
      throw new KalshiError(400, "invalid_parameters", "invalid parameters", "tickers must hold 1 to 100 items");
    }
    const { liveMarket } = tiers(context);
    // Observed on the real exchange: of "A,B" in one value only the first is answered.
    const markets = tickers.map((ticker) => context.world.kalshi.market(ticker.split(",")[0] ?? ""));
    return {
      orderbooks: markets
        .filter((market) => market !== undefined)
        .filter(liveMarket)
        .map((market) => ({ ticker: market.ticker, orderbook_fp: toOrderbook(market) })),
    };
  });
}
