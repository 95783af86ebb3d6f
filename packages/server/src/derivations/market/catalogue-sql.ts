import { sql, type Sql } from "../../definition/sql.ts";
import { copyOf } from "../../definition/table.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { CATALOGUE_IS_FINAL } from "../catalogue-is-final.ts";
import { conditionsOf, type Market } from "./markets-sql.ts";

const ISO = sql`'%Y-%m-%dT%H:%i:%SZ'`;

/** What the catalogue says of the markets, with the payout of outcome 0: the chain's where there is one, else the catalogue's once that is final. */
export function catalogueOf(markets: readonly Market[]): Sql {
  const conditions = conditionsOf(markets);
  const resolutions = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");
  const listed = sql`SELECT condition_id, slug, question, end_date, start_date, updated_at, active, closed, closed_date, if(${CATALOGUE_IS_FINAL}, payout_a, NULL) AS final_payout FROM ${polymarketMarkets} FINAL PREWHERE ${conditions}`;
  return sql`SELECT concat('0x', lower(hex(condition_id))) AS id, slug, question, formatDateTime(end_date, ${ISO}, 'UTC') AS end_date, toString(start_date) AS created_at, toString(updated_at) AS updated_at,
  active AND NOT closed AS market_active, closed AS market_closed, toUnixTimestamp(start_date) AS listed,
  toString(coalesce(r.payout, final_payout)) AS payout, toUnixTimestamp(coalesce(closed_date, r.at)) AS ended
FROM (${listed}) AS m
LEFT JOIN (SELECT condition_id, toNullable(argMax(payouts[1], ts)) AS payout, toNullable(max(ts)) AS at FROM ${resolutions} PREWHERE ${conditions} GROUP BY condition_id) AS r USING (condition_id)
SETTINGS join_use_nulls = 1`;
}

/** Rank of each active market by resting liquidity, 0–100; equal ones share the lowest rank of theirs. */
export const liquidityRanks: Sql = sql`SELECT concat('0x', lower(hex(condition_id))) AS id, 100 * (place - 1) / greatest(1, of - 1) AS percentile
FROM (SELECT condition_id, rank() OVER (ORDER BY liquidity) AS place, count() OVER () AS of FROM ${polymarketMarkets} FINAL WHERE active AND NOT closed)`;
