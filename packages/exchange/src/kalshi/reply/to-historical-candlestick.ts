import type { Candle, Ohlc } from "../candles/candle.ts";
import { toCount } from "./to-count.ts";
import { toDollars } from "./to-dollars.ts";

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

function sides(values: Ohlc) {
  return {
    close: toDollars(values.close),
    high: toDollars(values.high),
    low: toDollars(values.low),
    open: toDollars(values.open),
  };
}
