import type { FastifyInstance } from "fastify";
import { firstIndex } from "../../world/first-index.ts";
import { type KalshiContext, tiers } from "../tiers.ts";
import { invalidParameters } from "../kalshi-error.ts";
import { toOrderbook, toTrade } from "../reply/market-data.ts";
import { Cursor, pageBack } from "./paging.ts";
import { Query } from "./query.ts";

/** GET /markets/trades and /historical/trades (newest first), and /markets/orderbooks. */
export function addTradeRoutes(app: FastifyInstance, context: KalshiContext): void {
  app.get("/markets/trades", ({ query }) =>
    tradesOf(context, query, { from: tiers(context).live_trades_from, before: Infinity }),
  );
  app.get("/historical/trades", ({ query }) => tradesOf(context, query, { from: 0, before: tiers(context).cutoff }));

  // `tickers` repeats; for "A,B" in one value the real exchange returns only the first.
  app.get("/markets/orderbooks", (request) => {
    const tickers = new Query(request.query, ["tickers"]).repeated("tickers").filter((ticker) => ticker !== "");
    if (tickers.length === 0 || tickers.length > 100) throw invalidParameters("tickers must hold 1 to 100 items");
    const { liveMarket } = tiers(context);
    const markets = tickers.map((ticker) => context.world.kalshi.market(ticker.split(",")[0] ?? ""));
    return {
      orderbooks: markets
        .filter((market) => market !== undefined)
        .filter(liveMarket)
        .map((market) => ({ ticker: market.ticker, orderbook_fp: toOrderbook(market) })),
    };
  });
}

function tradesOf({ world }: KalshiContext, requested: unknown, tier: { from: number; before: number }) {
  const query = new Query(requested, ["limit", "cursor", "min_ts", "max_ts"]);
  const cursor = new Cursor("trades");
  const limit = query.limit(100, 1000);
  const list = world.kalshi.trades;
  const from = Math.max(tier.from, (query.integer("min_ts") ?? 0) * 1000);
  const latest = query.integer("max_ts");
  const before = Math.min(tier.before, latest === undefined ? Infinity : latest * 1000 + 1);
  // The cursor is a sequence number, so trades that arrive between two pages cause neither repeats nor gaps.
  const seq = cursor.readNumber(query.text("cursor")) ?? Infinity;
  const bounds = {
    before: Math.min(
      firstIndex(list, before, (trade) => trade.ms),
      firstIndex(list, seq, (trade) => trade.seq),
    ),
    from: firstIndex(list, from, (trade) => trade.ms),
  };
  const page = pageBack(list, bounds, limit, () => true);
  const last = page.last === undefined ? undefined : list[page.last];
  return { cursor: last ? cursor.write(last.seq) : "", trades: page.items.map(toTrade) };
}
