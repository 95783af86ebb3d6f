import type { PolymarketEvent, PolymarketMarket } from "../../world/contract.ts";
import type { OrderFields } from "./keyset-page.ts";

/** What market lists can be ordered by, under Gamma's camelCase names. */
export const marketOrderFields: OrderFields<PolymarketMarket> = {
  createdAt: (market) => market.created_ms,
  startDate: (market) => market.start_ms,
  endDate: (market) => market.end_ms,
  closedTime: (market) => market.closed_ms ?? 0,
  volume: (market) => market.volume_micro,
  volumeNum: (market) => market.volume_micro,
  volume24hr: (market) => market.volume_24h_micro(),
  liquidity: (market) => market.liquidity_micro(),
  liquidityNum: (market) => market.liquidity_micro(),
  lastTradePrice: (market) => market.last_trade_price_e4 ?? 0,
  slug: (market) => market.slug,
};

/** What event lists can be ordered by. */
export const eventOrderFields: OrderFields<PolymarketEvent> = {
  createdAt: (event) => event.created_ms,
  creationDate: (event) => event.created_ms,
  startDate: (event) => event.start_ms,
  endDate: (event) => event.end_ms,
  volume: (event) => event.markets.reduce((sum, market) => sum + market.volume_micro, 0),
  volume24hr: (event) => event.markets.reduce((sum, market) => sum + market.volume_24h_micro(), 0),
  liquidity: (event) => event.markets.reduce((sum, market) => sum + market.liquidity_micro(), 0),
  slug: (event) => event.slug,
};
