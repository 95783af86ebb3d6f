import { sql, type Bound, type Sql } from "../../definition/sql.ts";
import { polymarketFills } from "../../tables/polymarket-fills.ts";

/** Moments of a UTC day. */
export const withinDay = (day: Bound): Sql =>
  sql`ts >= toDateTime(${day}, 'UTC') AND ts < toDateTime(addDays(${day}, 1), 'UTC')`;

/** Fills of a UTC day with their market (0x-hex; empty while not known) and whether they made the wallet longer of outcome 0. */
export const dayFills = (day: Bound): Sql =>
  sql`(SELECT ts, tx_hash, wallet, role, match_kind, shares, usd, side, block_number, log_index, dictGet('polymarket_token_info', 'condition_id', token_id) AS market, (side = 'BUY') = (dictGet('polymarket_token_info', 'outcome_index', token_id) = 0) AS is_up FROM ${polymarketFills} WHERE ${withinDay(day)} AND shares > 0)`;
