import { sql, type Sql } from "../definition/sql.ts";
import { polymarketMarkets } from "../tables/polymarket-markets.ts";
import { polymarketResolutions } from "../tables/polymarket-resolutions.ts";

/**
 * Days (column `day`) on which the catalogue's word counts or counted, of the markets of which something changed (a
 * condition over `ingested_at`): in the catalogue, or on the chain, whose word takes its place.
 */
export function closingDaysSql(changed: Sql): Sql {
  return sql`SELECT DISTINCT toDate(assumeNotNull(closed_date), 'UTC') AS day FROM ${polymarketMarkets} WHERE isNotNull(closed_date) AND (${changed} OR condition_id IN (SELECT condition_id FROM ${polymarketResolutions} WHERE ${changed}))`;
}
