import { bind, sql, type Sql } from "../../definition/sql.ts";
import { polymarketCandles } from "../../tables/polymarket-candles.ts";
import { TOKENS, withTokens, type Market } from "./markets-sql.ts";

/** A market with the payout of outcome 0 and when trading ended (Unix seconds). */
export type Resolved = { readonly market: Market; readonly payout: number; readonly ended: number };

/** Mean squared distance of outcome 0's price from its payout over all minutes with a trade before trading ended. */
export function brierOf(resolved: readonly Resolved[]): Sql {
  const payouts = bind(
    "Array(Float64)",
    resolved.map(({ payout }) => payout),
  );
  const ends = bind(
    "Array(UInt32)",
    resolved.map(({ ended }) => ended),
  );
  const tokens = sql`(SELECT place, token_id, ${payouts}[place + 1] AS payout, toDateTime(${ends}[place + 1], 'UTC') AS ended FROM ${TOKENS} WHERE is_yes)`;
  return sql`${withTokens(resolved.map(({ market }) => market))} SELECT place, avg(pow(toFloat64(close) - payout, 2)) AS brier_to_date
FROM (SELECT token_id, minute, close FROM ${polymarketCandles} FINAL PREWHERE token_id IN (SELECT token_id FROM ${TOKENS} WHERE is_yes)) AS c INNER JOIN ${tokens} AS t USING (token_id)
WHERE minute < ended GROUP BY place`;
}
