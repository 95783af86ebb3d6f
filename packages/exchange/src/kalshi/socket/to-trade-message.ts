import type { KalshiTrade } from "../../world/kalshi-contract.ts";
import { toCount } from "../reply/to-count.ts";
import { toDollars } from "../reply/to-dollars.ts";

/** Body of `trade`: `market_ticker` and `ts_ms` where REST says `ticker` and `created_time`. */
export function toTradeMessage(trade: KalshiTrade) {
  return {
    trade_id: trade.trade_id,
    market_ticker: trade.market.ticker,
    yes_price_dollars: toDollars(trade.yes_price_e4),
    no_price_dollars: toDollars(10_000 - trade.yes_price_e4),
    count_fp: toCount(trade.count_cc),
    taker_side: trade.taker_side,
    taker_outcome_side: trade.taker_side,
    taker_book_side: trade.taker_side === "yes" ? "bid" : "ask",
    is_block_trade: trade.is_block_trade,
    ts: Math.floor(trade.ms / 1000),
    ts_ms: trade.ms,
  };
}
