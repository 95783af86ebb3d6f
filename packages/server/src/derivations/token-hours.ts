import { defineDerivation } from "../definition/derivation.ts";
import { bind, sql } from "../definition/sql.ts";
import { polymarketFills } from "../tables/polymarket-fills.ts";
import { tokenHours } from "../tables/token-hours.ts";

/**
 * Fills → hours of tokens. A match counts for its market once: the taker's leg. The price is that of the candles: the
 * taker's leg, and a maker's leg where sets were minted or merged.
 */
export const tokenHoursFromFills = defineDerivation({
  name: "token-hours",
  title: "Hours of tokens from fills",
  from: polymarketFills,
  into: tokenHours,
  moment: "ts",
  bucketSeconds: 3600,
  gatherSeconds: 20,
  rebuild: ({ from, to, starts, version }) => {
    const inRange = sql`ts >= parseDateTimeBestEffort(${bind("String", from)}, 'UTC') AND ts < parseDateTimeBestEffort(${bind("String", to)}, 'UTC')`;
    const chosen =
      starts === undefined
        ? sql`1`
        : sql`toStartOfHour(ts) IN (SELECT toDateTime(arrayJoin(${bind("Array(UInt32)", starts)}), 'UTC'))`;
    return sql`INSERT INTO ${tokenHours} (token_id, hour, volume_usd, trade_count, close, wallets, version, content)
SELECT token_id, hour, volume_usd, trade_count, close, wallets, ${bind("UInt64", version)}, cityHash64(toString(tuple(volume_usd, trade_count, close, wallets)))
FROM (
  SELECT token_id, toStartOfHour(ts) AS hour,
    sumIf(usd, role != 'maker') AS volume_usd, countIf(role != 'maker') AS trade_count,
    argMaxOrNullIf(price, (ts, block_number, log_index, tx_hash, order_hash), role != 'maker' OR match_kind IN ('mint', 'merge')) AS close,
    arraySort(groupUniqArray(cityHash64(wallet))) AS wallets
  FROM (SELECT *, toDecimal64(round(toDecimal128(usd, 12) / shares, 6), 6) AS price FROM ${polymarketFills} WHERE ${inRange} AND ${chosen} AND shares > 0)
  GROUP BY token_id, hour
)`;
  },
});
