import type { PullOptions } from "../../../definition/connector.ts";
import type { InsertRow } from "../../../definition/table.ts";
import { kalshiCall } from "../wire/walk-pages.ts";
import { batchCandlesReply, toCandle } from "./candle-reply.ts";

export const MAX_TICKERS = 100;
const MAX_CANDLES = 10_000;
const MINUTE = 60;

/** Unix seconds, both inclusive. */
export type CandleSpan = { readonly from: number; readonly to: number };

/** The rows of each market that has any in the window. */
export type CandleWindow = { readonly window: CandleSpan; readonly candles: ReadonlyMap<string, readonly InsertRow[]> };

/**
 * One-minute candles of up to 100 markets, in windows so short that markets × minutes stay within the 10,000 candles of
 * one reply of GET /markets/candlesticks.
 */
export async function* batchCandles(
  options: Pick<PullOptions, "feed" | "signal">,
  tickers: readonly string[],
  span: CandleSpan,
): AsyncGenerator<CandleWindow> {
  const seconds = Math.floor(MAX_CANDLES / tickers.length) * MINUTE;
  for (let from = span.from; from <= span.to; from += seconds) {
    options.signal.throwIfAborted();
    const to = Math.min(span.to, from + seconds - 1);
    const filters = { market_tickers: tickers.join(","), start_ts: from, end_ts: to, period_interval: 1 };
    const ifChanged = { from: from * 1000, to: to * 1000, instruments: tickers };
    const call = { ...kalshiCall("/markets/candlesticks", filters), ifChanged };
    const reply = await options.feed.get(call, batchCandlesReply);
    const rows = (reply?.markets ?? []).map(
      ({ market_ticker: ticker, candlesticks }) =>
        [ticker, (candlesticks ?? []).map((candle) => toCandle(ticker, 1, candle))] as const,
    );
    yield { window: { from, to }, candles: new Map(rows.filter(([, candles]) => candles.length > 0)) };
  }
}

/** The span from the first to the last second of several spans. */
export const spanOf = (spans: readonly CandleSpan[]): CandleSpan => ({
  from: Math.min(...spans.map(({ from }) => from)),
  to: Math.max(...spans.map(({ to }) => to)),
});

/**
 * Groups markets whose candles fit one reply, those of similar length and time together; one too long for a single
 * reply stays alone.
 */
export function inBatches<T extends CandleSpan>(markets: readonly T[]): T[][] {
  const batches: T[][] = [];
  for (const market of markets.toSorted((a, b) => lengthClass(a) - lengthClass(b) || a.from - b.from)) {
    const wider = [...(batches.at(-1) ?? []), market];
    const isTooMuch = wider.length > MAX_TICKERS || wider.length * minutesOf(spanOf(wider)) > MAX_CANDLES;
    if (batches.length === 0 || isTooMuch) batches.push([market]);
    else batches.at(-1)?.push(market);
  }
  return batches;
}

const minutesOf = ({ from, to }: CandleSpan): number => Math.ceil((to - from + 1) / MINUTE);
const lengthClass = (span: CandleSpan): number => Math.ceil(Math.log2(minutesOf(span)));
