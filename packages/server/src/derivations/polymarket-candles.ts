import { defineDerivation } from "../definition/derivation.ts";
import { bind, sql } from "../definition/sql.ts";
import { polymarketCandles } from "../tables/polymarket-candles.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { FILL_SLICES, pricedFills } from "./token-slices.ts";

/**
 * Fills → one-minute candles. Each match counts once for a token: the taker's leg, and a maker's leg where sets were
 * minted or merged, because there the taker's leg is on the other token, at the complementary price.
 */
export const polymarketCandlesFromFills = defineDerivation({
  name: "polymarket-candles",
  title: "One-minute candles from fills",
  from: polymarketFills,
  into: polymarketCandles,
  timestamp: "ts",
  bucketSeconds: 60,
  slices: FILL_SLICES,
  rebuild: (
    rebuild,
  ) => sql`INSERT INTO ${polymarketCandles} (token_id, minute, open, high, low, close, volume, volume_usd, price_sum, trade_count, version)
SELECT token_id, minute, open, high, low, close, volume, volume_usd, price_sum, trade_count, ${bind("UInt64", rebuild.version)}
FROM (
  SELECT token_id, toStartOfMinute(ts) AS minute, argMin(price, place) AS open, max(price) AS high, min(price) AS low, argMax(price, place) AS close,
    sum(shares) AS volume, sum(usd) AS volume_usd, sum(price) AS price_sum, count() AS trade_count
  FROM ${pricedFills(rebuild, sql`toStartOfMinute(ts)`)} WHERE role = 'taker' OR match_kind IN ('mint', 'merge') OR role = 'unknown'
  GROUP BY token_id, minute
)`,
});
