import type { KalshiSeries } from "../kalshi-contract.ts";

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
