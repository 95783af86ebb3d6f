import { sql, type Sql, fromDefinition, type Bound } from "../definition/sql.ts";
import { amongDays } from "../definition/filter.ts";
import { copyOf } from "../definition/table.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";

/** Key of a market's event, from columns of the catalogue; a market without an event counts as its own event. */
export const EVENT_KEY = fromDefinition("cityHash64(if(event_slug = '', toString(condition_id), event_slug))");

/**
 * A row of `polymarket_markets` states permanently how its market ended: closed at a known time, with payouts
 * (`connectors/polymarket/gamma/market-rows.ts`: no price of a proposed or disputed answer), and marked as resolved.
 * Markets without oracle status (older ones) must be priced like a result: 0.99 may be a last trade.
 */
export const CATALOGUE_IS_FINAL = fromDefinition(
  "closed AND isNotNull(closed_date) AND isNotNull(payout_a) AND (lower(resolution_status) IN ('resolved', 'settled') OR (resolution_status = '' AND greatest(side_a_price, side_b_price) >= 0.9999))",
);

/**
 * Days (column `day`) on which the catalogue's resolution applies or applied, for markets that changed (a condition
 * over `ingested_at`): in the catalogue, or on the chain, whose resolution takes precedence.
 */
export function closingDaysSql(changed: Sql): Sql {
  return sql`SELECT DISTINCT toDate(assumeNotNull(closed_date), 'UTC') AS day FROM ${polymarketMarkets} WHERE isNotNull(closed_date) AND (${changed} OR condition_id IN (SELECT condition_id FROM ${polymarketResolutions} WHERE ${changed}))`;
}

const BY_CONDITION = copyOf(polymarketResolutions, "polymarket_resolutions_by_condition");

/** Resolutions of conditions selected by SQL on `condition_id`, or those of some UTC days (`Array(Date)`). */
type Requested = { readonly chosen: Sql } | { readonly days: Bound };

/**
 * Resolutions of conditions, one row each: the chain's first resolution, else the catalogue's once final, at the end of
 * trading. For days: those of conditions resolved on one of them. Columns: condition_id, ts, payouts, tx_hash,
 * block_number, log_index (zeros if from the catalogue), is_from_catalogue.
 */
export function resolutionsSql(requested: Requested): Sql {
  if ("chosen" in requested) return union(requested.chosen, requested.chosen);
  const ofDay = (timestamp: Sql): Sql => amongDays(sql`toDate(${timestamp}, 'UTC')`, requested.days);
  const reported = sql`condition_id IN (SELECT condition_id FROM ${polymarketResolutions} WHERE ${ofDay(sql`ts`)})`;
  // Found first without FINAL, which would merge the whole catalogue.
  const closed = sql`condition_id IN (SELECT condition_id FROM ${polymarketMarkets} WHERE ${ofDay(sql`closed_date`)})`;
  return sql`(SELECT * FROM ${union(reported, closed)} WHERE ${ofDay(sql`ts`)})`;
}

function union(onChain: Sql, inCatalogue: Sql): Sql {
  return sql`(SELECT condition_id, ts, payouts, tx_hash, block_number, log_index, false AS is_from_catalogue FROM ${BY_CONDITION} WHERE ${onChain} ORDER BY ts, log_index LIMIT 1 BY condition_id
UNION ALL SELECT condition_id, assumeNotNull(closed_date) AS ts, [assumeNotNull(payout_a), 1 - assumeNotNull(payout_a)] AS payouts, toFixedString('', 32) AS tx_hash, toUInt32(0) AS block_number, toUInt32(0) AS log_index, true AS is_from_catalogue
FROM ${polymarketMarkets} FINAL WHERE ${inCatalogue} AND ${CATALOGUE_IS_FINAL} AND condition_id NOT IN (SELECT condition_id FROM ${BY_CONDITION} WHERE ${inCatalogue}))`;
}

/**
 * Days (column `day`) of all resolutions on the chain of conditions with a changed one (a condition over
 * `ingested_at`): an earlier resolution takes the place of the one that counted.
 */
export const resolvedDaysSql = (changed: Sql): Sql =>
  sql`SELECT DISTINCT toDate(ts, 'UTC') AS day FROM ${BY_CONDITION} WHERE condition_id IN (SELECT condition_id FROM ${polymarketResolutions} WHERE ${changed})`;
