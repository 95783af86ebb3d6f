import type { KalshiSeries } from "../kalshi-contract.ts";

function series(
  ticker: string,
  title: string,
  category: string,
  frequency: string,
  tags: string[],
  maker: boolean,
): KalshiSeries {
  return {
    ticker,
    title,
    category,
    tags,
    frequency,
    fee_type: maker ? "quadratic_with_maker_fees" : "quadratic",
    fee_multiplier: 1,
    settlement_sources: [{ name: "Paper source", url: "https://example.org/source" }],
  };
}

/** Series of the paper Kalshi; tickers look like the real ones. */
export const KALSHI_SERIES = {
  btc15m: series("KXBTC15M", "Bitcoin price up or down", "Crypto", "fifteen_min", ["BTC"], false),
  btcd: series("KXBTCD", "Bitcoin price above", "Crypto", "hourly", ["BTC"], false),
  ethd: series("KXETHD", "Ethereum price above", "Crypto", "hourly", ["ETH"], false),
  highny: series(
    "KXHIGHNY",
    "Highest temperature in NYC",
    "Climate and Weather",
    "daily",
    ["Daily temperature"],
    false,
  ),
  fed: series("KXFED", "Fed funds rate", "Economics", "custom", ["Fed", "Interest rates"], true),
  game: series("KXNBAGAME", "Professional basketball game", "Sports", "custom", ["Basketball", "NBA"], true),
  policy: series("KXPOLICY", "Policy questions", "Politics", "custom", ["Congress"], false),
  company: series("KXCOMPANY", "Company announcements", "Companies", "custom", ["Tech & Science"], false),
} as const satisfies Record<string, KalshiSeries>;
