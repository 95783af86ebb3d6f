import type { InsertRow } from "../../../definition/table.ts";
import type { CandleReply } from "./candle-reply.ts";
import { toContracts, toDollars, toQuote } from "../wire/to-decimal.ts";

/** A row of kalshi_candles. */
export function toCandle(ticker: string, periodMinutes: number, candle: CandleReply): InsertRow {
  const { price, yes_bid: bid, yes_ask: ask } = candle;
  return {
    ticker,
    period_minutes: periodMinutes,
    end_time: candle.end_period_ts,
    open: toDollars(price.open_dollars ?? price.open),
    high: toDollars(price.high_dollars ?? price.high),
    low: toDollars(price.low_dollars ?? price.low),
    close: toDollars(price.close_dollars ?? price.close),
    mean: toDollars(price.mean_dollars ?? price.mean),
    volume: toContracts(candle.volume_fp ?? candle.volume),
    open_interest: toContracts(candle.open_interest_fp ?? candle.open_interest),
    yes_bid_open: toQuote(bid.open_dollars ?? bid.open),
    yes_bid_high: toQuote(bid.high_dollars ?? bid.high),
    yes_bid_low: toQuote(bid.low_dollars ?? bid.low),
    yes_bid_close: toQuote(bid.close_dollars ?? bid.close),
    yes_ask_open: toQuote(ask.open_dollars ?? ask.open),
    yes_ask_high: toQuote(ask.high_dollars ?? ask.high),
    yes_ask_low: toQuote(ask.low_dollars ?? ask.low),
    yes_ask_close: toQuote(ask.close_dollars ?? ask.close),
  };
}
