import { sql, type Sql } from "../../definition/sql.ts";
import { tokenHours } from "../../tables/token-hours.ts";
import { momentOf } from "./choose-markets.ts";
import { OF_TOKENS, TOKENS, withTokens, type Market } from "./markets-sql.ts";

const HOUR_MS = 3_600_000;

/** Volume, trades, traders and how much the price moved, in the running hour and the 167 before it. */
export function hoursOf(markets: readonly Market[], now: number): Sql {
  const running = Math.floor(now / HOUR_MS) * HOUR_MS;
  const since = momentOf(running - 167 * HOUR_MS);
  const dayAgo = momentOf(running - 23 * HOUR_MS);
  const hours = sql`SELECT place, hour, sum(volume_usd) AS volume, sum(trade_count) AS trades, groupArrayArray(wallets) AS who, anyIf(close, is_yes AND isNotNull(close)) AS yes_close
FROM (SELECT token_id, hour, volume_usd, trade_count, close, wallets FROM ${tokenHours} FINAL PREWHERE hour >= ${since} AND hour <= ${momentOf(now)} AND ${OF_TOKENS}) AS h INNER JOIN ${TOKENS} AS t USING (token_id)
GROUP BY place, hour`;
  const changes = sql`arrayPopFront(arrayDifference(arrayMap(each -> toFloat64(each.2), arraySort(groupArrayIf((hour, assumeNotNull(yes_close)), isNotNull(yes_close))))))`;
  const figures = sql`SELECT place, toString(sumIf(volume, hour >= ${dayAgo})) AS volume_24h, toString(sum(volume)) AS volume_7d,
  toUInt32(sum(trades)) AS trades_7d, toUInt32(max(trades)) AS peak_hour_trades, toUInt32(uniqExactArray(who)) AS unique_traders_7d,
  ${changes} AS changes, if(length(changes) < 3, NULL, arrayReduce('stddevPop', changes)) AS price_volatility
FROM (${hours}) GROUP BY place`;
  return sql`${withTokens(markets)} SELECT * EXCEPT (changes) FROM (${figures})`;
}
