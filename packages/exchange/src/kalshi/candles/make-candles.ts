import type { KalshiMarket, KalshiQuote, KalshiTrade } from "../../world/kalshi-contract.ts";
import { firstIndex } from "../../world/first-index.ts";

/** Open, high, low, close in 1e-4 USD. */
export interface Ohlc {
  open: number;
  high: number;
  low: number;
  close: number;
}

/** One period of one market; `end_ts` is its inclusive end in Unix seconds. */
export interface Candle {
  end_ts: number;
  /** Null when nothing traded in the period. */
  price: (Ohlc & { mean: number }) | null;
  /** Last trade price before the period. */
  previous: number | null;
  bid: Ohlc;
  ask: Ohlc;
  volume_cc: number;
  open_interest_cc: number;
}

export interface CandleRange {
  /** Unix seconds; selects candles whose end is in `start_ts`..`end_ts`, both included. */
  start_ts: number;
  end_ts: number;
  /** Minutes: 1, 60 or 1440. */
  period_minutes: number;
  /** World time reached, ms: an unfinished period has no candle. */
  reached_ms: number;
}

/** Candles of a market, oldest first; a period without a trade or a quote change has none, as on the real exchange. */
export function makeCandles(market: KalshiMarket, range: CandleRange): Candle[] {
  const period = range.period_minutes * 60_000;
  const firstEnd = Math.ceil((range.start_ts * 1000) / period) * period;
  const lastEnd = Math.floor(Math.min(range.end_ts * 1000, range.reached_ms) / period) * period;
  // A timestamp exactly on the boundary belongs to the period that ends there.
  const from = firstEnd - period + 1;
  const trades = market.trades();
  const quotes = market.quotes();
  const candles: Candle[] = [];
  let trade = firstIndex(trades, from, tradeMs);
  let quote = firstIndex(quotes, from, quoteMs);
  let traded = sum(trades.slice(0, trade).map((item) => item.count_cc));
  for (;;) {
    const next = Math.min(msAt(trades, trade, tradeMs), msAt(quotes, quote, quoteMs));
    const end = Math.ceil(next / period) * period;
    if (!(end <= lastEnd)) return candles;
    const tradeEnd = firstIndex(trades, end + 1, tradeMs);
    const quoteEnd = firstIndex(quotes, end + 1, quoteMs);
    const candle = candleOf({ trades, quotes, trade, tradeEnd, quote, quoteEnd, end, traded });
    candles.push(candle);
    traded += candle.volume_cc;
    trade = tradeEnd;
    quote = quoteEnd;
  }
}

function tradeMs(trade: KalshiTrade): number {
  return trade.ms;
}

/** The world keeps the last quote of each minute with the full minute as its start; here the full minute is the end. */
function quoteMs(quote: KalshiQuote): number {
  return quote.ms + 1;
}

function msAt<T>(list: readonly T[], index: number, of: (item: T) => number): number {
  const item = list[index];
  return item === undefined ? Infinity : of(item);
}

interface Period {
  trades: readonly KalshiTrade[];
  quotes: readonly KalshiQuote[];
  trade: number;
  tradeEnd: number;
  quote: number;
  quoteEnd: number;
  end: number;
  /** Contracts traded before the period. */
  traded: number;
}

function candleOf(period: Period): Candle {
  const inside = period.trades.slice(period.trade, period.tradeEnd);
  const volume = sum(inside.map((trade) => trade.count_cc));
  const quotes = period.quotes.slice(Math.max(0, period.quote - 1), period.quoteEnd);
  return {
    end_ts: period.end / 1000,
    price: priceOf(inside),
    previous: period.trades[period.trade - 1]?.yes_price_e4 ?? null,
    bid: ohlc(quotes.map((quote) => quote.yes_bid_e4 ?? 0)) ?? flat(0),
    ask: ohlc(quotes.map((quote) => quote.yes_ask_e4 ?? 10_000)) ?? flat(10_000),
    volume_cc: volume,
    // The world has no historical open interest, so the volume traded so far is used, which never changes later.
    open_interest_cc: period.traded + volume,
  };
}

function priceOf(trades: KalshiTrade[]): Candle["price"] {
  const prices = ohlc(trades.map((trade) => trade.yes_price_e4));
  if (!prices) return null;
  const volume = sum(trades.map((trade) => trade.count_cc));
  return { ...prices, mean: Math.round(sum(trades.map((trade) => trade.yes_price_e4 * trade.count_cc)) / volume) };
}

function ohlc(values: number[]): Ohlc | null {
  const open = values[0];
  const close = values.at(-1);
  if (open === undefined || close === undefined) return null;
  return { open, high: Math.max(...values), low: Math.min(...values), close };
}

function flat(value: number): Ohlc {
  return { open: value, high: value, low: value, close: value };
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
