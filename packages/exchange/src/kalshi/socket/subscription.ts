import type { KalshiMarket } from "../../world/kalshi-contract.ts";

/** Channels of a socket that carry nobody's orders. Those that do are accepted and stay silent. */
export type Channel = "orderbook_delta" | "trade" | "ticker" | "market_lifecycle_v2" | "silent";

/** One subscription of a socket. `seq` counts its frames, not those of a market. */
export interface Subscription {
  sid: number;
  /** As the client named it. */
  name: string;
  channel: Channel;
  seq: number;
  /** Null = every market. */
  tickers: Set<string> | null;
  use_yes_price: boolean;
  skip_ticker_ack: boolean;
}

export function wants(subscription: Subscription, market: KalshiMarket): boolean {
  return subscription.tickers === null || subscription.tickers.has(market.ticker);
}
