import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";

export type Resolved = { readonly id: string; readonly payout: number; readonly ended: number };

/** Mean squared distance of outcome 0's price from its payout over all minutes with a trade before trading ended. */
export function brierOf(resolved: readonly Resolved[]): Sql {
  const ids = bind(
    "Array(String)",
    resolved.map(({ id }) => id),
  );
  const payouts = bind(
    "Array(Float64)",
    resolved.map(({ payout }) => payout),
  );
  const ends = bind(
    "Array(UInt32)",
    resolved.map(({ ended }) => ended),
  );
  const known = sql`(SELECT toFixedString(unhex(substring(one.1, 3)), 32) AS condition_id, one.2 AS payout, toDateTime(one.3, 'UTC') AS ended FROM (SELECT arrayJoin(arrayZip(${ids}, ${payouts}, ${ends})) AS one))`;
  const tokens = sql`(SELECT side_a_token_id AS token_id, condition_id, payout, ended FROM ${polymarketMarkets} FINAL INNER JOIN ${known} AS k USING (condition_id) WHERE condition_id IN (SELECT condition_id FROM ${known}))`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, avg(pow(toFloat64(close) - payout, 2)) AS brier_to_date
FROM ${polymarketCandles} FINAL INNER JOIN ${tokens} AS t USING (token_id)
WHERE token_id IN (SELECT token_id FROM ${tokens}) AND minute < ended GROUP BY condition_id`;
}
