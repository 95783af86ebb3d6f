import type { Candle, Ohlc } from "../candles/candle.ts";
import { toCount } from "./to-count.ts";
import { toDollars } from "./to-dollars.ts";

/** Candle of the live tier: suffixed keys; the price keys are ABSENT in a period without trades. */
export function toCandlestick(candle: Candle) {
  return {
    end_period_ts: candle.end_ts,
    open_interest_fp: toCount(candle.open_interest_cc),
    price: {
      ...(candle.price && { ...sides(candle.price), mean_dollars: toDollars(candle.price.mean) }),
      ...(candle.previous !== null && { previous_dollars: toDollars(candle.previous) }),
    },
    volume_fp: toCount(candle.volume_cc),
    yes_ask: sides(candle.ask),
    yes_bid: sides(candle.bid),
  };
}

function sides(values: Ohlc) {
  return {
    close_dollars: toDollars(values.close),
    high_dollars: toDollars(values.high),
    low_dollars: toDollars(values.low),
    open_dollars: toDollars(values.open),
  };
}
