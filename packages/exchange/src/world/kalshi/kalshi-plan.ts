import type { KalshiMarket, KalshiNames, KalshiSeries } from "../kalshi-contract.ts";

/** One market of a Kalshi event before it exists. */
export interface KalshiMarketPlan extends KalshiNames {
  suffix: string;
}

/** A Kalshi event before it exists. Times are world ms. */
export interface KalshiEventPlan {
  number: number;
  series: KalshiSeries;
  event_ticker: string;
  title: string;
  sub_title: string;
  mutually_exclusive: boolean;
  created: number;
  open: number;
  close: number;
  /** Early close: announced at `published`, closed at `close`. */
  early: { published: number; close: number } | null;
  /** Trading is paused from … to …. */
  pause: { from: number; to: number } | null;
  /** Delays from close to determination, and from there to settlement. */
  determine_after: number;
  settle_after: number;
  /** Result `scalar` at this value, 1e-4; null = yes or no. */
  scalar_e4: number | null;
  structure: KalshiMarket["price_level_structure"];
  /** Trades per hour and market. */
  pace: number;
  fractional: boolean;
  asset: string | null;
  /** Window start of an up/down market: its strike is the price at that time. */
  window_start: number | null;
  /** Variance per day: of the underlying value for brackets, of the logit for others. */
  variance: number;
  first_value: number;
  markets: KalshiMarketPlan[];
}

const series = (ticker: string, category: string): KalshiSeries => ({
  ticker,
  category,
  settlement_sources: [{ name: "Paper source", url: "https://example.org/source" }],
});

/** Series of the simulated Kalshi; tickers look like the real ones. */
export const KALSHI_SERIES = {
  btc15m: series("KXBTC15M", "Crypto"),
  btcd: series("KXBTCD", "Crypto"),
  ethd: series("KXETHD", "Crypto"),
  highny: series("KXHIGHNY", "Climate and Weather"),
  fed: series("KXFED", "Economics"),
  game: series("KXNBAGAME", "Sports"),
  policy: series("KXPOLICY", "Politics"),
  company: series("KXCOMPANY", "Companies"),
} as const satisfies Record<string, KalshiSeries>;
