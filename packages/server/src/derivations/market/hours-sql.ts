import { sql, type Sql } from "../../definition/sql.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { momentOf } from "./choose-markets.ts";
import type { MarketBatch } from "./market-batch.ts";

const HOUR_MS = 3_600_000;

/** Volume, trades, traders and how much the price moved, in the running hour and the 167 before it. */
export function hoursOf({ tokens, tokenIds }: MarketBatch, now: number): Sql {
  const running = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = momentOf(running - 167 * HOUR_MS);
  const dayAgo = momentOf(running - 23 * HOUR_MS);
  const hours = sql`SELECT condition_id, hour, sum(volume_usd) AS volume, sum(trade_count) AS trades, groupUniqArrayArray(wallets) AS who, anyIf(close, is_yes AND isNotNull(close)) AS yes_close
FROM ${tokenHours} FINAL INNER JOIN ${tokens} AS t USING (token_id)
WHERE ${tokenIds} AND hour >= ${since} AND hour <= ${momentOf(now)} GROUP BY condition_id, hour`;
  const changes = sql`arrayPopFront(arrayDifference(arrayMap(each -> toFloat64(each.2), arraySort(groupArrayIf((hour, assumeNotNull(yes_close)), isNotNull(yes_close))))))`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, toString(sumIf(volume, hour >= ${dayAgo})) AS volume_24h, toString(sum(volume)) AS volume_7d,
  toUInt32(sum(trades)) AS trades_7d, toUInt32(max(trades)) AS peak_hour_trades, toUInt32(uniqExactArray(who)) AS unique_traders_7d,
  ${changes} AS changes, if(length(changes) < 3, NULL, arrayReduce('stddevPop', changes)) AS price_volatility
FROM (${hours}) GROUP BY condition_id`;
}
