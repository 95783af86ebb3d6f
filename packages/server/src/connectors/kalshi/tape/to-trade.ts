import type { InsertRow } from "../../../definition/table.ts";
import { toContracts, toDollars } from "../wire/to-decimal.ts";
import { toMoment } from "../wire/to-moment.ts";
import type { TradeReply } from "./trade-reply.ts";

/** A row of kalshi_trades. The taker of a bid took YES. */
export function toTrade(trade: TradeReply): InsertRow {
  const byBook = trade.taker_book_side === undefined ? undefined : trade.taker_book_side === "bid" ? "yes" : "no";
  return {
    created_time: toMoment(trade.created_time),
    trade_id: trade.trade_id,
    ticker: trade.ticker,
    count: toContracts(trade.count_fp ?? trade.count),
    yes_price: toDollars(trade.yes_price_dollars ?? trade.yes_price),
    no_price: toDollars(trade.no_price_dollars ?? trade.no_price),
    taker_side: trade.taker_outcome_side ?? byBook ?? trade.taker_side,
    is_block_trade: trade.is_block_trade,
  };
}
