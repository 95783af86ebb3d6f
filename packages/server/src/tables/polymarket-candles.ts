import { stored } from "../definition/stored.ts";
import { defineTable } from "../definition/table.ts";

/**
 * One-minute candles of an outcome token, from fills. Each match counts once for the token: the taker's leg, and a
 * maker's leg where sets were minted or merged (there the taker's leg is on the other token).
 */
export const polymarketCandles = defineTable({
  name: "polymarket_candles_1m",
  about: "One-minute candles of Polymarket's tokens.",
  columns: {
    token_id: stored.token("Outcome token."),
    minute: stored.seconds("Start of the minute."),
    open: stored.money("First price."),
    high: stored.money("Highest price."),
    low: stored.money("Lowest price."),
    close: stored.money("Last price."),
    volume: stored.money("Shares."),
    volume_usd: stored.money("Notional in USD."),
    price_sum: stored.money("Sum of the trades' prices, for their mean."),
    trade_count: stored.count("Trades."),
    version: stored.version(),
  },
  engine: "ReplacingMergeTree(version)",
  storedAsMade: true,
  orderBy: ["token_id", "minute"],
  granularity: { own: 1024 },
  key: ["token_id", "minute"],
  keyRange: "minute",
  // Derivations query the newest minutes of some tokens, which few granules contain.
  indexes: ["INDEX versions version TYPE minmax GRANULARITY 1", "INDEX minutes minute TYPE minmax GRANULARITY 1"],
  shardBy: "cityHash64(token_id)",
});
