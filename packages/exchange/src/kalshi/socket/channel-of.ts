import type { Channel } from "./subscription.ts";

const CHANNELS: Record<string, Channel> = {
  orderbook_delta: "orderbook_delta",
  trade: "trade",
  ticker: "ticker",
  market_lifecycle_v2: "market_lifecycle_v2",
  fill: "silent",
  market_positions: "silent",
  multivariate_market_lifecycle: "silent",
  communications: "silent",
  order_group_updates: "silent",
  user_orders: "silent",
  cfbenchmarks_value: "silent",
  pyth_value: "silent",
};

/** Channel by its name on the wire; undefined for an unknown one. */
export function channelOf(name: unknown): Channel | undefined {
  return typeof name === "string" && Object.hasOwn(CHANNELS, name) ? CHANNELS[name] : undefined;
}
