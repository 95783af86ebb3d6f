import type { FastifyInstance } from "fastify";
import type { KalshiTrade } from "../../world/kalshi-contract.ts";
import type { KalshiContext } from "../context.ts";
import { firstIndex } from "../first-index.ts";
import { toTrade } from "../reply/to-trade.ts";
import { tiers } from "../tiers.ts";
import { Cursor } from "./cursor.ts";
import { pageBack } from "./page-back.ts";
import { Query } from "./query.ts";

/** GET /markets/trades and /historical/trades: newest first; an unknown or old ticker gives an empty list, no error. */
export function addTradeRoutes(app: FastifyInstance, context: KalshiContext): void {
  app.get("/markets/trades", (request) =>
    answer(context, new Query(request.query), { from: tiers(context).live_trades_from, before: Infinity }),
  );
  app.get("/historical/trades", (request) =>
    answer(context, new Query(request.query), { from: 0, before: tiers(context).cutoff }),
  );
}

function answer(context: KalshiContext, query: Query, tier: { from: number; before: number }) {
  const cursor = new Cursor("trades");
  const limit = query.limit(100, 1000);
  const block = query.flag("is_block_trade");
  const list = tradesOf(context, query.text("ticker"));
  const from = Math.max(tier.from, (query.integer("min_ts") ?? 0) * 1000);
  const latest = query.integer("max_ts");
  const before = Math.min(tier.before, latest === undefined ? Infinity : latest * 1000 + 1);
  // A place in the tape is a sequence number: trades that arrive between two pages neither repeat nor push out others.
  const seq = cursor.readNumber(query.text("cursor")) ?? Infinity;
  const page = pageBack(
    list,
    {
      before: Math.min(
        indexOf(list, before),
        firstIndex(list, seq, (trade) => trade.seq),
      ),
      from: indexOf(list, from),
    },
    limit,
    (trade) => block === undefined || trade.is_block_trade === block,
  );
  const last = page.last === undefined ? undefined : list[page.last];
  return { cursor: last ? cursor.write(last.seq) : "", trades: page.items.map(toTrade) };
}

function tradesOf(context: KalshiContext, ticker: string | undefined): readonly KalshiTrade[] {
  if (ticker === undefined) return context.world.kalshi.trades;
  return context.world.kalshi.market(ticker)?.trades() ?? [];
}

function indexOf(list: readonly KalshiTrade[], ms: number): number {
  return firstIndex(list, ms, (trade) => trade.ms);
}
