import type { KalshiTrade, KalshiLevel, KalshiMarket } from "../../world/kalshi-contract.ts";
import { toCount, toDollars, toTime } from "./texts.ts";
import type { Candle, Ohlc } from "../candles/make-candles.ts";

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

/** Book as REST returns it: bids only, ascending, best last; an empty side is `[]`. */
export function toOrderbook(market: KalshiMarket) {
  const book = market.book();
  return { yes_dollars: toLevels(book.yes), no_dollars: toLevels(book.no) };
}

export function toLevels(levels: readonly KalshiLevel[]): [string, string][] {
  return levels.map((level) => [toDollars(level.price_e4), toCount(level.size_cc)]);
}

/** Candle of the live tier: suffixed keys; the price keys are ABSENT in a period without trades. */
export function toCandlestick(candle: Candle) {
  return {
    end_period_ts: candle.end_ts,
    open_interest_fp: toCount(candle.open_interest_cc),
    price: {
      ...(candle.price && { ...suffixed(candle.price), mean_dollars: toDollars(candle.price.mean) }),
      ...(candle.previous !== null && { previous_dollars: toDollars(candle.previous) }),
    },
    volume_fp: toCount(candle.volume_cc),
    yes_ask: suffixed(candle.ask),
    yes_bid: suffixed(candle.bid),
  };
}

/** Candle of the historical tier: other key names, and null in place of an absent key. */
export function toHistoricalCandlestick(candle: Candle) {
  const price = candle.price;
  return {
    end_period_ts: candle.end_ts,
    open_interest: toCount(candle.open_interest_cc),
    price: {
      ...(price ? sides(price) : { close: null, high: null, low: null, open: null }),
      mean: price ? toDollars(price.mean) : null,
      previous: candle.previous === null ? null : toDollars(candle.previous),
    },
    volume: toCount(candle.volume_cc),
    yes_ask: sides(candle.ask),
    yes_bid: sides(candle.bid),
  };
}

function sides({ open, high, low, close }: Ohlc) {
  return { close: toDollars(close), high: toDollars(high), low: toDollars(low), open: toDollars(open) };
}

function suffixed(values: Ohlc) {
  return Object.fromEntries(Object.entries(sides(values)).map(([side, text]) => [`${side}_dollars`, text]));
}
