import { defineDerivation } from "../definition/derivation.ts";
import { bind, sql } from "../definition/sql.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { tokenHours } from "../tables/token-hours.ts";
import { FILL_SLICES, pricedFills } from "./token-slices.ts";

/**
 * Fills → hours of tokens. A match counts for its market once: the taker's leg. The price is that of the candles: the
 * taker's leg, and a maker's leg if sets were minted or merged.
 */
export const tokenHoursFromFills = defineDerivation({
  name: "token-hours",
  title: "Hourly token figures from fills",
  from: polymarketFills,
  into: tokenHours,
  timestamp: "ts",
  bucketSeconds: 3600,
  gatherSeconds: 20,
  slices: FILL_SLICES,
  rebuild: (rebuild) => sql`INSERT INTO ${tokenHours} (token_id, hour, volume_usd, trade_count, close, wallets, version)
SELECT token_id, hour, volume_usd, trade_count, close, wallets, ${bind("UInt64", rebuild.version)}
FROM (
  SELECT token_id, toStartOfHour(ts) AS hour,
    sumIf(usd, role != 'maker') AS volume_usd, countIf(role != 'maker') AS trade_count,
    argMaxOrNullIf(price, place, role != 'maker' OR match_kind IN ('mint', 'merge')) AS close,
    arraySort(groupUniqArray(cityHash64(wallet))) AS wallets
  FROM ${pricedFills(rebuild, sql`toStartOfHour(ts)`)}
  GROUP BY token_id, hour
)`,
});
