import type { Candle, Ohlc } from "../candles/make-candles.ts";
import { toCount, toDollars } from "./texts.ts";

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
