import type { KalshiTrade } from "../../world/kalshi-contract.ts";
import { toCount, toDollars, toTime } from "./texts.ts";

/** Trade as REST returns it (`ticker`, `created_time`); the websocket uses other names. */
export function toTrade(trade: KalshiTrade) {
  return {
    trade_id: trade.trade_id,
    ticker: trade.market.ticker,
    count_fp: toCount(trade.count_cc),
    yes_price_dollars: toDollars(trade.yes_price_e4),
    no_price_dollars: toDollars(10_000 - trade.yes_price_e4),
    taker_outcome_side: trade.taker_side,
    taker_book_side: trade.taker_side === "yes" ? "bid" : "ask",
    taker_side: trade.taker_side,
    is_block_trade: trade.is_block_trade,
    // The world has millisecond resolution; the sequence number fills the microseconds to preserve the order.
    created_time: toTime(trade.ms, trade.seq % 1000),
  };
}
