import type { KalshiMarket } from "../../world/kalshi-contract.ts";
import type { Candle } from "./candle.ts";
import { makeCandles, type CandleRange } from "./make-candles.ts";

/**
 * What `include_latest_before_start` prepends: the newest candle before the range, carried to the first end of a period
 * in it, without trades. Undefined when the market had no candle before, or has a real one there.
 */
export function latestBefore(market: KalshiMarket, range: CandleRange, first: Candle | undefined): Candle | undefined {
  const period = range.period_minutes * 60;
  const firstEnd = Math.ceil(range.start_ts / period) * period;
  if (first?.end_ts === firstEnd) return undefined;
  const before = makeCandles(market, { ...range, start_ts: 0, end_ts: firstEnd - period }).at(-1);
  if (!before) return undefined;
  const bid = before.bid.close;
  const ask = before.ask.close;
  return {
    end_ts: firstEnd,
    price: null,
    previous: before.price?.close ?? before.previous,
    bid: { open: bid, high: bid, low: bid, close: bid },
    ask: { open: ask, high: ask, low: ask, close: ask },
    volume_cc: 0,
    open_interest_cc: before.open_interest_cc,
  };
}
