import { bind, sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketMarkets } from "../../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../../tables/polymarket-resolutions.ts";
import { polymarketTokens } from "../../tables/polymarket-tokens.ts";
import { CATALOGUE_IS_FINAL } from "../catalogue-is-final.ts";

/**
 * What markets say of their tokens around a time: `token_id`, `over_at` (trading or the question is over), `payout` of a
 * share (null while none is final), `event_start`. Only of markets with such a moment within so many seconds of the range.
 */
export function marketEndsSql(from: Sql | Bound, to: Sql | Bound, within: number): Sql {
  const around = sql`toIntervalSecond(${bind("UInt32", within)})`;
  const inRange = (moment: Sql): Sql => sql`${moment} BETWEEN ${from} - ${around} AND ${to} + ${around}`;
  const never = sql`toDateTime('2106-01-01 00:00:00', 'UTC')`;
  const markets = sql`SELECT if(${CATALOGUE_IS_FINAL}, payout_a, NULL) AS first_pays, arrayJoin([(side_a_token_id, first_pays), (side_b_token_id, 1 - first_pays)]) AS side, side.1 AS token_id,
    coalesce(closed_date, ${never}) AS over_at, side.2 AS payout, event_start
  FROM ${polymarketMarkets} FINAL WHERE ${inRange(sql`closed_date`)} OR ${inRange(sql`event_start`)}`;
  const resolutions = sql`SELECT t.token_id AS token_id, r.ts AS over_at, toNullable(r.payouts[t.outcome_index + 1]) AS payout, CAST(NULL, 'Nullable(DateTime(\\'UTC\\'))') AS event_start
  FROM ${polymarketTokens} AS t FINAL INNER JOIN ${polymarketResolutions} AS r ON r.condition_id = t.condition_id
  WHERE t.outcome_index < 2 AND ${inRange(sql`r.ts`)}`;
  return sql`SELECT token_id, min(over_at) AS over_at, any(payout) AS payout, min(event_start) AS event_start
FROM (SELECT token_id, over_at, payout, event_start FROM (${markets}) UNION ALL ${resolutions}) GROUP BY token_id`;
}
